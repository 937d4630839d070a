import { mkdtempSync, readdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionRecord } from "@tmpm/core";
import { afterEach, expect, test } from "vitest";
import { deferredRecords } from "../../src/records/deferred-records.js";

const HOME = "/home/me/data";
const parent = mkdtempSync(join(tmpdir(), "tmpm-deferred-"));
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function record(task: string) {
  const at = "2026-01-01T00:00:00.000Z";
  const id = "00000000-0000-4000-8000-000000000001";
  const parsed = SessionRecord.parse({
    schema_version: 1,
    id,
    name: "demo",
    tmux_name: "tmpm-demo",
    cwd: "/w",
    state: "active",
    created_at: at,
    updated_at: at,
    agent: "shell",
    task,
  });
  return { record: parsed, base: 1 };
}

function place(writeBytes?: (fd: number, bytes: Uint8Array) => number) {
  const faults: unknown[] = [];
  const options = { parent, home: HOME, report: ({ error }: { readonly error: unknown }) => void faults.push(error) };
  return { faults, deferred: deferredRecords({ ...options, ...(writeBytes === undefined ? {} : { writeBytes }) }) };
}

test("records that are written in several parts are complete", () => {
  const { deferred, faults } = place((fd, bytes) => writeSync(fd, bytes.subarray(0, 100)));
  const kept = [record("one")];
  deferred.save(kept);
  expect(faults).toEqual([]);
  expect(place().deferred.load()).toEqual(kept);
});

test("a disk that accepts only a part leaves the previous records in place, and is reported", () => {
  const before = [record("one")];
  place().deferred.save(before);
  let room = 100;
  const { deferred, faults } = place((fd, bytes) => {
    const count = writeSync(fd, bytes.subarray(0, room));
    room -= count;
    return count;
  });
  deferred.save([record("two")]);
  expect(faults).toMatchObject([{ code: "STORAGE_FULL" }]);
  expect(place().deferred.load()).toEqual(before);
  const [folder = ""] = readdirSync(parent);
  expect(readdirSync(join(parent, folder))).toHaveLength(1);
});
