import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  begun,
  cleanEnvironment,
  isSuspended,
  markingScript,
  type ProcessInfo,
  parsePsRow,
  parseStat,
  processEnded,
  processTable,
  processTree,
  psTable,
  runProgram,
  serverScope,
  sessionMark,
  sharedTurn,
  startedServers,
} from "../src/index.js";

test("the environment of long-lived programs is a fixed list, with UTF-8 without a locale", () => {
  const source = {
    PATH: "/bin",
    HOME: "/h",
    TMPM_TOKEN: "x",
    OPENAI_API_KEY: "x",
    XDG_RUNTIME_DIR: "/r",
    TMUX: "x",
    TMUX_PANE: "x",
    SECRET: "x",
    LC_TIME: "C",
  };
  expect(cleanEnvironment(source, "linux")).toEqual({
    PATH: "/bin",
    HOME: "/h",
    XDG_RUNTIME_DIR: "/r",
    LC_TIME: "C",
    LC_CTYPE: "C.UTF-8",
  });
  expect(cleanEnvironment({ LANG: "de_DE.UTF-8" })).not.toHaveProperty("LC_CTYPE");
});

test("a program that the system does not start gives one error, whether Node throws it or reports it later", async () => {
  await expect(begun(() => spawn("true", ["x".repeat(200_000)]))).rejects.toMatchObject({ code: "E2BIG" });
  await expect(begun(() => spawn("/nonexistent"))).rejects.toMatchObject({ code: "ENOENT" });
  expect((await begun(() => spawn("true"))).pid).toBeGreaterThan(1);
});

test.runIf(process.platform === "linux")("a process stopped by a signal is suspended until it is continued", async () => {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" });
  const pid = (await begun(() => child)).pid ?? expect.unreachable("it has started");
  expect(isSuspended(pid)).toBe(false);
  child.kill("SIGSTOP");
  await expect.poll(() => isSuspended(pid)).toBe(true);
  child.kill("SIGCONT");
  await expect.poll(() => isSuspended(pid)).toBe(false);
  child.kill("SIGKILL");
  await expect.poll(() => isSuspended(pid)).toBe(false);
});

test("callers in one turn share one run, which starts after their calls", async () => {
  let runs = 0;
  const ask = sharedTurn(() => ++runs);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  expect(await ask()).toBe(2);
  const fails = sharedTurn(() => {
    throw new TypeError("no");
  });
  await expect(fails()).rejects.toThrow("no");
});

describe("processes", () => {
  test("a process name with parentheses and spaces shifts no field", () => {
    const stat = "42 (a) Z 9 (b) S 7 42 41 34816 55 4194304 1 0 0 0 0 0 0 0 20 0 1 0 1234 1 1";
    expect(parseStat(stat, 100)).toEqual({
      pid: 42,
      parent: 7,
      group: 42,
      session: 41,
      foregroundGroup: 55,
      start: "1234",
      startedAt: 112.34,
      zombie: false,
      command: "a) Z 9 (b",
    });
  });

  test("parses a row of ps", () => {
    expect(parsePsRow("  412     1   412   -1 Ss   Fri Nov  7 10:00:00 2026 /usr/bin/x y")).toMatchObject({
      pid: 412,
      parent: 1,
      foregroundGroup: -1,
      zombie: false,
      command: "x y",
    });
    expect(parsePsRow("ps: no such process")).toBeNull();
  });

  test("ps reports this process as /proc does", async () => {
    const begun = Date.now();
    const found = (await psTable().some([process.pid])).get(process.pid);
    expect(found).toMatchObject({ pid: process.pid, parent: process.ppid });
    const took = (Date.now() - begun) / 1000;
    expect(Math.abs((found?.startedAt ?? 0) - (Date.now() / 1000 - process.uptime()))).toBeLessThan(5 + took);
  });

  test("a server has ended when its pid is gone, a zombie, or has another start", async () => {
    const info = {
      pid: 9,
      parent: 1,
      group: 9,
      session: 9,
      foregroundGroup: 0,
      start: "1",
      startedAt: 1000,
      zombie: false,
      command: "tmux: server",
    };
    const table = (found: readonly (typeof info)[]) => ({
      all: async () => found,
      some: async () => new Map(found.map((one) => [one.pid, one])),
      withEnvironment: async () => [],
      marked: async () => new Map(),
      inTmux: async () => new Map(),
      withTerminalOf: async () => [],
    });
    expect(await processEnded(table([]), { pid: 9, start: 1001 })).toBe(true);
    expect(await processEnded(table([info]), { pid: 9, start: 1001 })).toBe(false);
    expect(await processEnded(table([{ ...info, zombie: true }]), { pid: 9, start: 1001 })).toBe(true);
    expect(await processEnded(table([info]), { pid: 9, start: 5000 })).toBe(true);
    // The clock was set; and a reused pid in the same second.
    expect(await processEnded(table([info]), { pid: 9, start: 5000, exactStart: "1" })).toBe(false);
    expect(await processEnded(table([info]), { pid: 9, start: 1001, exactStart: "2" })).toBe(true);
  });
});

test.runIf(process.platform === "linux").each(["sh", "bash"])(
  "a process marked by %s keeps its session's mark, whatever it drops",
  async (shell) => {
    const script = `${markingScript("one")}; exec setsid env -i sleep 1000 <&- >&- 2>&-`;
    const child = spawn(shell, ["-c", script], { stdio: "ignore" });
    try {
      const { pid } = await begun(() => child);
      await expect.poll(async () => (await processTable().marked()).get(pid ?? 0)).toBe(sessionMark("one"));
      expect((await processTable().marked()).has(process.pid)).toBe(false);
      expect(sessionMark("two")).not.toBe(sessionMark("one"));
    } finally {
      child.kill("SIGKILL");
    }
  },
);

test.runIf(process.platform === "linux")("finds a variable at the end of a long environment", async () => {
  const long = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`FILLER_${index}`, "x".repeat(2_000)]));
  const child = spawn("sleep", ["1000"], { stdio: "ignore", env: { PATH: process.env.PATH, ...long, TMPM_LAST: "here" } });
  try {
    const { pid } = await begun(() => child);
    await expect.poll(() => processTable().withEnvironment("TMPM_LAST=here")).toContain(pid);
    expect(await processTable().withEnvironment("TMPM_LAST=her")).not.toContain(pid);
  } finally {
    child.kill("SIGKILL");
  }
});

test("nothing is marked on a system that does not report marks", async () => {
  expect(markingScript("one", "darwin")).toBe(":");
  expect(await psTable().marked()).toEqual(new Map());
});

/** A folder with programs of these names, each a shell script, as the only ones on the path of `env`. */
function programs(scripts: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-run-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { path: (name: string) => join(folder, name), env: { PATH: `${folder}:/usr/bin:/bin`, XDG_RUNTIME_DIR: folder } };
}

const LATEST_MS = 60_000;

test("a program's end includes its output and status, and has a deadline", async () => {
  const { env } = programs({});
  const run = (script: string, more: { readonly input?: string; readonly withinMs?: number } = {}) =>
    runProgram({ argv: ["/bin/sh", "-c", script], env, withinMs: LATEST_MS, ...more });
  expect(await run("cat; echo; echo no >&2; exit 3", { input: "été" })).toEqual({ kind: "ended", status: 3, stdout: "été", stderr: "no" });
  expect(await run("kill -9 $$")).toMatchObject({ kind: "ended", status: null });
  // Its child has the pipes.
  expect(await run("sleep 1000 & echo $!; wait", { withinMs: 50 })).toEqual({ kind: "late" });
});

test("a program that the system does not start is refused with the system's error", async () => {
  const run = (...argv: [string, ...string[]]) => runProgram({ argv, env: process.env, withinMs: LATEST_MS });
  expect(await run("true", "x".repeat(200_000))).toMatchObject({ kind: "refused", error: { code: "E2BIG" } });
  expect(await run("/nonexistent")).toMatchObject({ kind: "refused", error: { code: "ENOENT", syscall: "spawn /nonexistent" } });
});

test("a failed ps is an error, and an empty one means that the process does not exist", async () => {
  const { path } = programs({ fails: "echo no memory >&2; exit 2", hangs: "sleep 1000", killed: "kill -9 $$", none: "exit 1" });
  const table = (name: string, withinMs = LATEST_MS) => psTable({ program: path(name), withinMs });
  const shortage = { code: "EAGAIN", syscall: "ps" };
  await expect(processEnded(table("fails"), { pid: process.pid, start: 0 })).rejects.toMatchObject({
    ...shortage,
    message: expect.stringContaining("no memory"),
  });
  for (const broken of [table("hangs", 50), table("killed"), table("missing")]) await expect(broken.all()).rejects.toMatchObject(shortage);
  expect(await table("none").some([process.pid])).toEqual(new Map());
});

test("a user manager that did not answer is asked again after a minute, not at the next start", async () => {
  const { path, env } = programs({ "systemd-run": '[ -e "$0.answers" ] || exec sleep 1000' });
  const clock = { now: 0 };
  let asking = 0;
  const cgroup = async () => {
    asking += 1;
    return "/system.slice/tmpm.service";
  };
  let probeMs = 50;
  const scope = () => serverScope(env, { cgroup, now: () => clock.now, probeMs });
  const asked = () => asking;
  const late = { kind: "plain", reason: expect.stringContaining("no answer") };
  expect(await scope()).toEqual(late);
  clock.now = 59_999;
  expect([await scope(), asked()]).toEqual([late, 1]);
  writeFileSync(path("systemd-run.answers"), "");
  probeMs = LATEST_MS;
  clock.now = 60_000;
  expect([await scope(), asked()]).toEqual([{ kind: "scope" }, 2]);
  expect([await scope(), asked()]).toEqual([{ kind: "scope" }, 3]);
});

test("no scope is made where the login session outlives the user manager", async () => {
  const loginctl = (kills: string, lingers: string) => `case "$*" in *Kill*) echo ${kills} ;; *) echo ${lingers} ;; esac`;
  const scopeIn = (cgroup: string, logind: string) => {
    const { env } = programs({ "systemd-run": "exit 0", loginctl: logind });
    return serverScope(env, { cgroup: async () => cgroup, probeMs: LATEST_MS });
  };
  const login = "/user.slice/user-7.slice/session-3.scope";
  expect(await scopeIn(login, loginctl("no", "no"))).toMatchObject({ kind: "plain", reason: expect.stringContaining("session-3.scope") });
  expect(await scopeIn(login, loginctl("yes", "no"))).toEqual({ kind: "scope" });
  expect(await scopeIn(login, loginctl("no", "yes"))).toEqual({ kind: "scope" });
  expect(await scopeIn(login, "exit 1")).toEqual({ kind: "scope" });
  expect(await scopeIn("/system.slice/tmpm.service", loginctl("no", "no"))).toEqual({ kind: "scope" });
});

/** A tmux server with a session, whose program started a daemon, a client and another server. */
function serverInSession(named: readonly number[], holding: readonly number[]) {
  const info = (pid: number, more: Partial<ProcessInfo>): ProcessInfo => ({
    ...{ pid, parent: 1, group: pid, session: pid, foregroundGroup: 0, start: "1", startedAt: 1, zombie: false, command: "sh" },
    ...more,
  });
  const all = [
    info(10, { command: "tmux: server" }),
    info(20, { parent: 10 }),
    info(21, { parent: 20, session: 20, command: "tmux: client" }),
    info(22, { command: "daemon" }),
    info(30, { command: "tmux: server" }),
    info(31, { parent: 30 }),
    info(32, {}),
    info(33, { parent: 32 }),
    info(23, { parent: 20 }),
    info(40, { command: "tmux: server" }),
  ];
  return {
    all: async () => all,
    some: async () => new Map(all.map((one) => [one.pid, one])),
    withEnvironment: async () => named,
    marked: async () => new Map(),
    inTmux: async () =>
      new Map([
        [20, 10],
        [22, 10],
        [23, 30],
        [31, 30],
        [32, 30],
      ]),
    withTerminalOf: async () => holding,
  };
}

test.each([
  ["", [20, 21, 22, 23, 30, 31, 32, 33], [20, 21, 30]],
  [", also when the session's own server has its environment", [10, 20, 21, 22, 23, 30, 31, 32, 33], [20, 21, 30]],
  [", also when the session's own server has its terminal open", [20, 21, 22, 23, 30, 31, 32, 33], [10, 20, 21, 30]],
] as const)(
  "a tmux server that a session's program started outlives it, with the sessions in it and their programs in the background%s",
  async (_, named, holding) => {
    const table = serverInSession(named, holding);
    const query = { serverPid: 10, rootPid: 20, sessionId: "one" };
    expect((await processTree(table, { ...query, known: [] })).map(({ pid }) => pid).sort()).toEqual([20, 21, 22, 23]);
    expect(await startedServers(table, query)).toEqual([30]);
  },
);
