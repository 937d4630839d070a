import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { begun, type ProcessInfo, processTable } from "@tmpm/processes";
import { expect, onTestFinished, test } from "vitest";
import { clientChannel } from "../src/one-shot/client.js";
import { knownServer, serverEnded } from "../src/server/server-context.js";
import { socketKeeper } from "../src/server/socket-keeper.js";
import { arrivals } from "../src/transport/arrivals.js";

function folderOfOwn(): string {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a client that the system does not start is an answer, however Node reports it", async () => {
  const options = {
    ...{ arguments: ["-S", join(folderOfOwn(), "s")], env: { PATH: process.env.PATH ?? "" }, nonce: randomUUID },
    ...{ deadlines: { read: 60_000, mutate: 60_000 }, monotonic: () => performance.now(), arrivals: arrivals() },
  };
  const unanswered = (code: string) => ({ kind: "unanswered", error: { code, effect: "none" } });
  const tooLong = clientChannel({ ...options, program: "tmux" }).ask({
    kind: "read",
    commands: [["display-message", "x".repeat(200_000)]],
  });
  expect(await tooLong).toMatchObject(unanswered("TMUX_FAILED"));
  const missing = clientChannel({ ...options, program: "/nonexistent/tmux" }).ask({ kind: "read", commands: [["list-sessions"]] });
  expect(await missing).toMatchObject(unanswered("TMUX_NOT_FOUND"));
});

test("a socket whose folder cannot be created is not regained, and no other program gets the signal", async () => {
  const folder = folderOfOwn();
  const blocked = join(folder, "blocked");
  writeFileSync(blocked, "");
  const child = await begun(() => spawn("sleep", ["1000"], { stdio: "ignore" }));
  onTestFinished(() => void child.kill("SIGKILL"));
  const processes = processTable();
  const keeperOf = (socket: string) => socketKeeper({ socket, processes, known: knownServer(processes) });
  const server = { pid: child.pid ?? 0, start: 0 };
  expect(await keeperOf(join(blocked, "tmux", "s")).regain(server)).toBe(false);
  expect(await keeperOf(join(folder, "s")).regain(server)).toBe(false);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
});

test("the process of a server that answers several times at once is looked up once", async () => {
  let lookups = 0;
  const some = async () => {
    lookups += 1;
    return new Map();
  };
  const known = knownServer({ some });
  const server = { pid: 7, start: 1000, version: "3.5a" };
  for (let answers = 0; answers < 5; answers += 1) known.remember(server);
  expect(lookups).toBe(1);
  known.remember({ ...server, pid: 8 });
  expect(lookups).toBe(2);
});

test("a look-up that finds no process is repeated at the next answer", async () => {
  let found: ReadonlyMap<number, ProcessInfo> = new Map();
  let lookups = 0;
  const some = async () => {
    lookups += 1;
    return found;
  };
  const known = knownServer({ some });
  const server = { pid: 7, start: 1000, version: "3.5a" };
  known.remember(server);
  // The look-up is over by then.
  await new Promise((resolve) => setImmediate(resolve));
  found = new Map([
    [
      7,
      {
        ...{ pid: 7, parent: 1, group: 7, session: 7, foregroundGroup: 0, start: "100", startedAt: 1000, zombie: false },
        command: "tmux: server",
      },
    ],
  ]);
  expect([lookups, known.exactStart(server)]).toEqual([1, null]);
  known.remember(server);
  await expect.poll(() => known.exactStart(server)).toBe("100");
  expect(lookups).toBe(2);
});

test("setting the clock does not end a server that has answered", async () => {
  const info: ProcessInfo = {
    ...{ pid: 7, parent: 1, group: 7, session: 7, foregroundGroup: 0, start: "100", startedAt: 1000, zombie: false },
    command: "tmux: server",
  };
  let found = info;
  const processes = { ...processTable(), some: async () => new Map([[7, found]]) };
  const known = knownServer(processes);
  const server = { pid: 7, start: 1000 };
  known.remember({ ...server, version: "3.5a" });
  await expect.poll(() => known.exactStart(server)).toBe("100");
  found = { ...info, startedAt: 5000 };
  expect(await serverEnded({ processes, known }, server)).toBe(false);
  found = { ...info, start: "101" };
  expect(await serverEnded({ processes, known }, server)).toBe(true);
});
