import { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copyUnchanged } from "../src/foreign/copy-unchanged.js";
import { scratchFolder } from "./scratch-folder.js";

/** A pair of files that a program writes to during its first copies. */
function written(times: number) {
  const folder = scratchFolder();
  onTestFinished(() => folder.remove());
  const files = ["db", "wal"].map((name) => ({ from: join(folder.path, name), to: join(folder.path, `${name}.copy`) }));
  const [db, wal] = files;
  if (db === undefined || wal === undefined) throw new TypeError("there are two files");
  writeFileSync(db.from, "1");
  let copies = 0;
  const copy = async (from: string, to: string) => {
    copyFileSync(from, to);
    if (copies++ < times) for (const file of [db, wal]) appendFileSync(file.from, "x");
  };
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  return { db, wal, slept, done: () => copyUnchanged(files, { copy, sleep }) };
}

test("files that change during the copy are copied again, until both are consistent", async () => {
  const { db, wal, slept, done } = written(3);
  expect(await done()).toBe(true);
  expect(slept.length).toBeGreaterThan(1);
  for (const { from, to } of [db, wal]) expect(readFileSync(to, "utf8")).toBe(readFileSync(from, "utf8"));
});

test("a missing file has no copy, and files that keep changing are not copied forever", async () => {
  const resting = written(0);
  expect([await resting.done(), existsSync(resting.wal.to), resting.slept]).toEqual([true, false, []]);
  const busy = written(Number.POSITIVE_INFINITY);
  expect(await busy.done()).toBe(false);
  expect(busy.slept.length).toBeGreaterThan(5);
});
