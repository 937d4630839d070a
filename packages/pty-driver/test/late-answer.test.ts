import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HolderFacts, identityOf, PROTOCOL } from "@tmpm/holder";
import { processTable } from "@tmpm/processes";
import { expect, onTestFinished, test } from "vitest";
import { driverContext } from "../src/driver-context.js";
import { listTerminals } from "../src/observe.js";

function frame(body: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(body));
  const header = Buffer.alloc(8);
  header.writeUInt32BE(json.length, 0);
  return Buffer.concat([header, json]);
}

test("an answer that is older than a report does not replace it", async () => {
  const base = mkdtempSync(join(tmpdir(), "tmpm-late-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, "one");
  mkdirSync(folder);
  const own = (await processTable().some([process.pid])).get(process.pid);
  const facts: HolderFacts = {
    protocol: PROTOCOL,
    session_id: "one",
    name: "demo",
    socket: join(folder, "s"),
    pid: process.pid,
    start: own?.start ?? "",
    boot: "",
    started_at: Math.floor(own?.startedAt ?? 0),
    program: null,
  };
  writeFileSync(join(folder, "facts"), JSON.stringify(facts));
  const running = { tmuxName: "demo", pid: 0, tty: "", columns: 80, rows: 24, viewers: 0, activeMs: 1, exit: null };
  const ended = { ...running, exit: { status: 7, signal: null, atMs: 1_000 } };
  const holder = createServer((socket) => {
    socket.write(frame({ hello: facts }));
    // Both arrive in one piece: the report is newer.
    socket.on("data", () =>
      socket.write(Buffer.concat([frame({ id: 1, value: running }), frame({ event: { type: "info", info: ended } })])),
    );
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => holder.listen(facts.socket, resolve));
  const context = driverContext({ base, entry: "", attach: "", env: {} });
  onTestFinished(() => {
    context.links.close();
    holder.close();
  });
  const list = await listTerminals(context);
  expect(list).toMatchObject({ kind: "present", value: [{ identity: identityOf(facts), exit: { status: 7 } }] });
});
