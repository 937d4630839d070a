import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { endProcesses, processTable, processTree, signalProcess } from "@tmpm/processes";
import { expect, onTestFinished, test } from "vitest";
import { eventually, present } from "../src/contract/expect.js";
import { create, ended, idOf, shows } from "../src/contract/sessions.js";
import { TMUX } from "./tested-tmux.js";
import { openTmux } from "./tmux-fixture.js";

const run = promisify(execFile);

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const table = processTable();
const runs = async (pid: number) => {
  const info = (await table.some([pid])).get(pid);
  return info !== undefined && !info.zombie;
};
const pidIn = (path: string) =>
  eventually(
    async () => {
      try {
        return Number(readFileSync(path, "utf8"));
      } catch {
        return 0;
      }
    },
    (pid) => pid > 0,
  );

test("finds a child that left its terminal and parent by session id, and ends it", async () => {
  const fixture = await openTmux();
  const file = join(fixture.folder, "pid");
  const pane = await create(fixture, {
    id: "one",
    argv: [
      "/bin/sh",
      "-c",
      `setsid sh -c 'trap "" HUP; echo $$ > "$1"; while :; do sleep 1; done' sh "$1" </dev/null >/dev/null 2>&1 & while [ ! -s "$1" ]; do sleep 0.02; done; exit 3`,
      "sh",
      file,
    ],
  });
  const child = await pidIn(file);
  await ended(fixture, pane);
  expect(await runs(child)).toBe(true);
  const report = await fixture.driver.kill(pane.identity, { graceMs: 100 });
  expect(report).toMatchObject({ survivors: [], exit: { status: 3 } });
  expect(await runs(child)).toBe(false);
});

test("waits for a program that ends on SIGHUP", async () => {
  const fixture = await openTmux();
  const file = join(fixture.folder, "pid");
  const pane = await create(fixture, {
    id: "one",
    argv: ["/bin/sh", "-c", `trap 'sleep 0.3; echo 7 > "$1"; exit 7' HUP; echo ready; while :; do sleep 0.05; done`, "sh", file],
  });
  await shows(fixture, { pane, text: "ready" });
  expect(await fixture.driver.kill(pane.identity, { graceMs: 20_000 })).toMatchObject({ survivors: [], exit: { status: 7 } });
  expect(await pidIn(file)).toBe(7);
});

test("reports the end of a program that tmux missed", { timeout: 20_000 + 20_000 * scale }, async () => {
  const fixture = await openTmux();
  for (let round = 0; round < (scale < 10 ? scale : 3 * scale); round++) {
    const pane = await create(fixture, { id: `s${round}`, argv: ["sleep", "1000"] });
    const report = await fixture.driver.kill(pane.identity, { graceMs: 20_000 });
    expect(report).toMatchObject({ survivors: [], exit: { status: null, signal: 1 } });
  }
});

test("ends a stopped program too", async () => {
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  process.kill(pane.pid, "SIGSTOP");
  expect(await fixture.driver.kill(pane.identity, { graceMs: 20_000 })).toMatchObject({ survivors: [], exit: { signal: 1 } });
});

test.runIf(process.platform === "linux")("leaves a tmux server that the program started, and reports it", async () => {
  const fixture = await openTmux();
  const socket = join(fixture.folder, "nested");
  const script = '"$1" -S "$2" -f /dev/null new-session -d "exec sleep 1000"; exec sleep 1000';
  const pane = await create(fixture, { id: "one", argv: ["/bin/sh", "-c", script, "sh", TMUX, socket] });
  const nested = async (format: string) => {
    const { stdout } = await run(TMUX, ["-S", socket, "display-message", "-p", format]).catch(() => ({ stdout: "" }));
    return Number(stdout);
  };
  const server = await eventually(
    () => nested("#{pid}"),
    (pid) => pid > 0,
  );
  onTestFinished(() => void signalProcess(server, "SIGTERM"));
  expect(await fixture.driver.kill(pane.identity, { graceMs: 20_000 })).toMatchObject({ survivors: [], servers: [server] });
  expect(await runs(await nested("#{pane_pid}"))).toBe(true);
});

test("leaves a process with a dead program's reused pid alone", async () => {
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: ["true"] });
  await ended(fixture, pane);
  const bystander = spawn("sleep", ["1000"]);
  const pid = bystander.pid ?? 0;
  const tree = await processTree(table, { serverPid: pane.identity.server_pid, rootPid: pid, sessionId: idOf(fixture, "one"), known: [] });
  expect(tree).toEqual([]);
  const [info] = (await table.some([pid])).values();
  const impostor = info === undefined ? [] : [{ ...info, start: "1" }];
  expect(await endProcesses(table, { graceMs: 0, collect: async (known) => (known.length === 0 ? impostor : []) })).toEqual([]);
  expect(await runs(pid)).toBe(true);
  bystander.kill("SIGKILL");
});

test("reports a process that cannot be ended, and keeps its session for a retry", async () => {
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  const [info] = (await table.some([pane.pid])).values();
  const undying = info === undefined ? [] : [{ ...info, start: "1" }];
  const left = await endProcesses(table, { graceMs: 0, collect: async () => undying });
  expect(left.map(({ pid }) => pid)).toEqual([pane.pid]);
});

test("keeps a user's session that our pane was moved into", async () => {
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  await fixture.openForeign("theirs");
  await fixture.tmux("join-pane", "-s", pane.identity.pane_id, "-t", "=theirs:");
  expect(present(await fixture.driver.list()).map(({ tmuxName }) => tmuxName)).toEqual(["theirs", "theirs"]);
  await fixture.driver.kill(pane.identity, { graceMs: 20_000 });
  expect(present(await fixture.driver.list()).map(({ tmuxName, exit }) => ({ tmuxName, exit }))).toEqual([
    { tmuxName: "theirs", exit: null },
  ]);
});

test("leaves a pane that a user opened beside ours", async () => {
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  await fixture.tmux("split-window", "-t", pane.identity.pane_id, "sleep 1000");
  const panes = present(await fixture.driver.list());
  expect(new Set(panes.map(({ sessionId }) => sessionId))).toEqual(new Set([idOf(fixture, "one"), null]));
  const beside = panes.find(({ sessionId }) => sessionId === null);
  await expect(fixture.driver.paste(beside?.identity ?? pane.identity, "x")).rejects.toMatchObject({ code: "PANE_FOREIGN" });
});

test("a window that a user opened closes with its program, and the ended session's pane stays until it is collected", async () => {
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: ["/bin/sh", "-c", "exit 3"] });
  await ended(fixture, pane);
  await fixture.tmux("new-window", "-t", `=${pane.tmuxName}:`, "-n", "users", "true");
  const windows = () => fixture.tmux("list-windows", "-t", pane.identity.pane_id, "-F", "#{window_name}");
  await eventually(windows, (text) => !text.includes("users"));
  const report = await fixture.driver.kill(pane.identity, { graceMs: 100 });
  expect(report).toMatchObject({ survivors: [], exit: { status: 3 } });
  expect(report.kept).toBeUndefined();
  expect((await fixture.driver.find(pane.identity)).kind).toBe("absent");
});

test("an adopted pane of our own server keeps the exit of its program", async () => {
  const fixture = await openTmux({ keepsSocket: true });
  const pane = await create(fixture, { id: "one", argv: ["/bin/cat"] });
  const where = ["-t", `=${pane.tmuxName}:`, "-P", "-F", "#{pane_id}"];
  const id = (await fixture.tmux("new-window", "-d", ...where, "sh -c 'read line; exit 3'")).trim();
  const identity = { ...pane.identity, pane_id: id };
  await fixture.driver.adopt(identity, "two");
  await fixture.tmux("send-keys", "-t", id, "Enter");
  const found = await eventually(
    () => fixture.driver.find(identity),
    (answer) => answer.kind === "absent" || (answer.kind === "present" && answer.value.exit !== null),
  );
  expect(found).toMatchObject({ kind: "present", value: { exit: { status: 3 } } });
});
