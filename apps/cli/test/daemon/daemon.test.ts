import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { userInfo } from "node:os";
import { join } from "node:path";
import { currentLocation } from "@tmpm/api/local";
import { describe, expect, test } from "vitest";
import { startDaemon } from "../../src/daemon/daemon-process.js";
import { daemonEnv } from "../../src/daemon/daemon-program.js";
import { isAlive } from "../../src/daemon/process-alive.js";
import { endTurn, takeTurn } from "../../src/daemon/start-turn.js";
import { runIn } from "../fixtures/answering.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

const STAND_IN = createRequire(import.meta.url).resolve("../fixtures/daemon-stand-in.mjs");

/** A home where the stand-in is the daemon; it is stopped at the end. */
function place(env: Readonly<Record<string, string>> = {}) {
  const dir = temporaryDir();
  const home = join(dir.path, "state");
  const all = { PATH: process.env.PATH, TMPM_HOME: home, TMPM_DAEMON: STAND_IN, STAND_IN_DIR: dir.path, ...env };
  const tmpm = (...argv: readonly string[]) => runIn(all, argv);
  return {
    dir: dir.path,
    home,
    tmpm,
    log: () => readFileSync(join(home, "daemon.log"), "utf8"),
    async [Symbol.asyncDispose]() {
      await tmpm("daemon", "stop");
      dir[Symbol.dispose]();
    },
  };
}

describe("the daemon that a command needs", () => {
  test("starts in a directory of its own, with its output in the log", async () => {
    await using here = place({ TMUX: "/tmp/outer,1,0", TMUX_PANE: "%1" });
    expect(await here.tmpm("ls", "--json")).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(here.log())).toMatchObject({ msg: "begun", cwd: "/", TMUX: null, home: here.home });
    expect(statSync(join(here.home, "daemon.log")).mode & 0o777).toBe(0o600);
    expect(statSync(here.home).mode & 0o777).toBe(0o700);
    expect(statSync(join(here.home, "run")).mode & 0o777).toBe(0o700);
  });

  test("does not inherit its starter's token", async () => {
    await using here = place({ TMPM_TOKEN: "mine" });
    await here.tmpm("ls");
    expect(JSON.parse(here.log())).toMatchObject({ msg: "begun", shows: null });
  });

  test("gets a home folder if its caller has none, as from cron or in a container", () => {
    const location = { home: "/t", socket: "/t/s", log: "/t/l", tmuxSocket: "tmpm" };
    const { homedir } = userInfo();
    expect([{}, { HOME: "" }, { HOME: "here" }, { HOME: "/me" }].map((env) => daemonEnv(env, location).HOME)).toEqual([
      homedir,
      homedir,
      homedir,
      "/me",
    ]);
  });

  test("cannot start if a file blocks its folder, which is not reported as an internal error", async () => {
    await using here = place();
    writeFileSync(here.home, "");
    for (const argv of [["ls"], ["daemon", "stop"]]) {
      const { exit, stdout } = await here.tmpm(...argv, "--json");
      expect([argv, exit, JSON.parse(stdout)]).toEqual([
        argv,
        1,
        { error: expect.objectContaining({ code: "UNSAFE_PATH", effect: "none" }) },
      ]);
    }
  });

  test("listens where requested, also after a restart, and reports when it does not", async () => {
    await using here = place();
    const listening = async (...argv: readonly string[]) => JSON.parse((await here.tmpm("daemon", ...argv, "--json")).stdout);
    expect(await listening("start")).toMatchObject({ listening: [] });
    expect(await listening("start", "--listen", "127.0.0.1:7777")).toMatchObject({
      error: { code: "LISTEN_FAILED", hint: expect.stringContaining("restart --listen") },
    });
    expect(await listening("restart", "--listen", "127.0.0.1:7777")).toMatchObject({ listening: ["http://127.0.0.1:7777"] });
    expect(await listening("start", "--listen", "127.0.0.1:7777")).toMatchObject({ listening: ["http://127.0.0.1:7777"] });
    expect(await listening("restart")).toMatchObject({ listening: ["http://127.0.0.1:7777"] });
    expect(await listening("stop", "--listen", "127.0.0.1:7777")).toMatchObject({ error: { code: "INVALID_ARGUMENT" } });
  });

  test("of another machine is not managed from here", async () => {
    await using here = place({ TMPM_URL: "http://127.0.0.1:1", TMPM_TOKEN: "x" });
    for (const action of ["start", "stop", "restart", "run", "logs"]) expect((await here.tmpm("daemon", action)).exit).toBe(2);
    expect((await here.tmpm("daemon", "status")).exit).toBe(6);
    expect((await here.tmpm("ls")).exit).toBe(6);
    expect(() => here.log()).toThrow(/ENOENT/);
  });

  test("is started once by any number of concurrent commands", async () => {
    await using here = place();
    const results = await Promise.all(Array.from({ length: 20 }, () => here.tmpm("ls", "--json")));
    expect(new Set(results.map(({ exit, stderr }) => `${exit}${stderr}`))).toEqual(new Set(["0"]));
    expect(here.log().match(/"begun"/g)).toHaveLength(1);
  });

  test("is retried while an ending one still holds the lock", async () => {
    await using here = place({ STAND_IN_FAULT: "locked-once" });
    expect(await here.tmpm("ls", "--json")).toMatchObject({ exit: 0 });
    expect(here.log().match(/"begun"/g)).toHaveLength(2);
  });

  test("is named if it runs already with its socket elsewhere", { timeout: 180_000 }, async () => {
    await using here = place();
    const env = {
      PATH: process.env.PATH,
      TMPM_HOME: here.home,
      TMPM_DAEMON: STAND_IN,
      STAND_IN_DIR: here.dir,
      STAND_IN_FAULT: "elsewhere",
    };
    const start = () => startDaemon({ env, location: currentLocation(env), deadlineMs: 1500 }).catch((error) => error);
    // On a busy machine it may not have started by then.
    await expect.poll(start).toMatchObject({ code: "DAEMON_RUNNING", hint: expect.stringContaining("`kill 4711`") });
  });

  test("that cannot start reports its reason", async () => {
    await using here = place({ STAND_IN_FAULT: "known" });
    expect(await here.tmpm("ls")).toEqual({ exit: 6, stdout: "", stderr: "tmpm: tmux 1.0 is too old\n      Install a newer one.\n" });
  });

  test("that crashes at once is reported with the last lines of its log, and only of this start", async () => {
    await using here = place({ STAND_IN_FAULT: "crash" });
    mkdirSync(here.home, { mode: 0o700 });
    writeFileSync(join(here.home, "daemon.log"), '{"level":50,"code":"NAME_TAKEN","msg":"an old error"}\n');
    const { exit, stderr } = await here.tmpm("ls");
    expect(exit).toBe(6);
    expect(stderr).toMatch(/^tmpm: the daemon ended at once \(status 70\)\n.*daemon\.log\.\n.*begun.*\n +a stack trace\n$/s);
    expect(stderr).not.toContain("an old error");
  });

  test("whose program is missing is reported", async () => {
    await using here = place({ TMPM_DAEMON: "/nonexistent/daemon.js" });
    expect(await here.tmpm("ls")).toMatchObject({ exit: 6, stderr: expect.stringMatching(/missing: \/nonexistent.*\n.*npm start/) });
  });

  test("is not started in a folder that others can write to, or below a file", async () => {
    await using here = place();
    mkdirSync(join(here.home, "run"), { recursive: true, mode: 0o755 });
    expect(await here.tmpm("ls", "--json")).toMatchObject({ exit: 1, stdout: expect.stringContaining("UNSAFE_PATH") });
    const file = join(here.dir, "file");
    writeFileSync(file, "");
    expect(await runIn({ PATH: process.env.PATH, TMPM_HOME: join(file, "home") }, ["ls", "--json"])).toMatchObject({ exit: 1 });
  });
});

describe("tmpm daemon", () => {
  test("status reports a missing daemon without starting one", async () => {
    await using here = place();
    expect(await here.tmpm("daemon")).toMatchObject({ exit: 6, stdout: "", stderr: expect.stringContaining("tmpm daemon start") });
    expect(await here.tmpm("daemon", "stop")).toEqual({ exit: 0, stdout: "the daemon was not running\n", stderr: "" });
    expect(statSync(here.home, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("start, status, restart and stop", async () => {
    await using here = place();
    const first = JSON.parse((await here.tmpm("daemon", "start", "--json")).stdout);
    expect(JSON.parse((await here.tmpm("daemon", "start", "--json")).stdout).pid).toBe(first.pid);
    expect(await here.tmpm("daemon")).toMatchObject({ exit: 0, stdout: expect.stringMatching(new RegExp(`^pid +${first.pid}$`, "m")) });
    const second = JSON.parse((await here.tmpm("daemon", "restart", "--json")).stdout);
    expect(second.pid).not.toBe(first.pid);
    expect(isAlive(first.pid)).toBe(false);
    expect(await here.tmpm("daemon", "stop")).toMatchObject({ exit: 0, stdout: "the daemon has stopped; sessions keep running\n" });
    expect(isAlive(second.pid)).toBe(false);
  });

  test("logs prints the last lines, and nothing when there is no log yet", async () => {
    await using here = place();
    expect(await here.tmpm("daemon", "logs")).toEqual({ exit: 0, stdout: "", stderr: "" });
    mkdirSync(here.home, { mode: 0o700 });
    writeFileSync(join(here.home, "daemon.log"), "one\ntwo\u001b[2J\nthree\n");
    expect((await here.tmpm("daemon", "logs", "--lines", "2")).stdout).toBe("two\\x1b[2J\nthree\n");
  });

  test("an unknown action is refused", async () => {
    expect(await runIn({}, ["daemon", "dance"])).toMatchObject({ exit: 2, stderr: expect.stringContaining("status, start, stop") });
  });
});

describe("the lock for starting the daemon", () => {
  test("is held by one process at a time, and freed by the death of its holder", () => {
    using dir = temporaryDir();
    const path = join(dir.path, "starting");
    expect([takeTurn(path), takeTurn(path)]).toEqual([true, false]);
    endTurn(path);
    expect(takeTurn(path)).toBe(true);
    writeFileSync(path, "2147483646");
    expect([takeTurn(path), takeTurn(path)]).toEqual([false, true]);
  });
});
