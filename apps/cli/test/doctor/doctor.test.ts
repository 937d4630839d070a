import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clock } from "../../src/doctor/clock.js";
import { limits } from "../../src/doctor/limits.js";
import type { OwnProcess } from "../../src/doctor/own-processes.js";
import { socketAnswers } from "../../src/doctor/socket-answers.js";
import { strays } from "../../src/doctor/strays.js";
import { VERSION } from "../../src/version.js";
import { answering, runIn } from "../fixtures/answering.js";
import { temporaryDir } from "../fixtures/temporary-dir.js";

const STAND_IN = createRequire(import.meta.url).resolve("../fixtures/daemon-stand-in.mjs");

interface Found {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly hint: string | null;
}

/** A daemon's program that only runs its checks. */
const LOOKS = `#!/bin/sh
[ "$1" = --doctor ] && echo '{"checks": [{"id": "tmux-utf8", "name": "tmux UTF-8", "status": "ok", "message": "shown", "hint": null}]}'
`;

/** A home without a daemon; one that a test starts is stopped at the end. */
function place(env: Readonly<Record<string, string>> = {}) {
  const dir = temporaryDir();
  const home = join(dir.path, "state");
  const program = join(dir.path, "looks");
  writeFileSync(program, LOOKS, { mode: 0o755 });
  const all = { PATH: process.env.PATH, HOME: dir.path, TMPM_HOME: home, TMPM_DAEMON: program, STAND_IN_DIR: dir.path, ...env };
  const tmpm = (...argv: readonly string[]) => runIn(all, argv);
  const look = async (...argv: readonly string[]) => {
    const { exit, stdout } = await tmpm("doctor", "--json", ...argv);
    const { checks, fixes = [] } = JSON.parse(stdout);
    const of = (id: string): readonly Found[] => checks.filter((check: Found) => check.id === id);
    return { exit, checks, fixes, of };
  };
  return {
    dir: dir.path,
    home,
    socket: join(home, "run", "tmpm.sock"),
    tmpm,
    look,
    async [Symbol.asyncDispose]() {
      await tmpm("daemon", "stop");
      dir[Symbol.dispose]();
    },
  };
}

/** The failed checks, except those that timed out on a loaded machine. */
function faultsIn(checks: readonly Found[]): readonly Found[] {
  return checks.filter(({ status, message }) => status === "fail" && !message.startsWith("no answer within"));
}

const LOCAL = { env: {}, uid: process.geteuid?.() ?? 0 };

describe("doctor", { timeout: 180_000 }, () => {
  test("examines the machine and starts nothing; without a daemon its program does the daemon's checks", async () => {
    await using here = place();
    const { exit, checks } = await here.look();
    expect(faultsIn(checks)).toEqual([]);
    if (checks.every(({ status }: Found) => status !== "fail")) expect(exit).toBe(0);
    expect(checks.map(({ id }: Found) => id)).toEqual([
      ...[
        "node",
        "git",
        "tmux",
        "config",
        "home",
        "socket",
        "rights",
        "shapes",
        "disk",
        "clock",
        "leftovers",
        "limits",
        "strays",
        "service",
        "daemon",
      ],
      "tmux-utf8",
    ]);
    expect(statSync(here.home, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("adds the findings of a running daemon, and the number of findings", async () => {
    await using here = place({ TMPM_DAEMON: STAND_IN });
    await here.tmpm("daemon", "start");
    const { stdout } = await here.tmpm("doctor");
    expect(stdout).toMatch(new RegExp(`^ok +daemon +runs as pid \\d+, version ${VERSION.replaceAll(".", "\\.")}$`, "m"));
    expect(stdout).toMatch(/^ok +records +0 readable$/m);
    expect(stdout).toMatch(/\n\n\d+ ok.*\n$/);
  });

  test("exits 6 if a requirement is missing, and prints what to install", async () => {
    await using here = place({ PATH: "/nonexistent" });
    expect(await here.tmpm("doctor")).toMatchObject({
      exit: 6,
      stdout: expect.stringMatching(/^fail +git +not on your PATH\n +> .*apt install git/m),
    });
  });

  test("warns of an old or missing tmux: sessions run without it", async () => {
    using dir = temporaryDir();
    for (const [version, message] of [
      ["3.1c", "tmux 3.1c is too old"],
      ["3.2a", "tmux 3.2a"],
    ] as const) {
      writeFileSync(join(dir.path, "tmux"), `#!/bin/sh\necho tmux ${version}\n`, { mode: 0o755 });
      await using here = place({ PATH: dir.path });
      expect((await here.look()).of("tmux")).toMatchObject([
        { status: version === "3.1c" ? "warn" : "ok", message: expect.stringContaining(message) },
      ]);
    }
  });

  test("reports why the last daemon could not start, also when its program is missing", async () => {
    await using here = place({ TMPM_DAEMON: STAND_IN, STAND_IN_FAULT: "known" });
    await here.tmpm("ls");
    expect((await here.look()).of("daemon")).toMatchObject([{ status: "warn", message: expect.stringContaining("tmux 1.0 is too old") }]);
    await using gone = place({ TMPM_DAEMON: "/nonexistent/daemon.js" });
    const { exit, of } = await gone.look();
    expect(of("daemon")).toContainEqual(expect.objectContaining({ status: "fail", message: expect.stringContaining("is missing") }));
    expect(exit).toBe(6);
  });

  test("reports an invalid configuration by its line, and continues with the other checks", async () => {
    await using here = place();
    mkdirSync(join(here.dir, ".config", "tmpm"), { recursive: true });
    writeFileSync(join(here.dir, ".config", "tmpm", "config.yaml"), "client:\n  sokcet: /x\n", { mode: 0o600 });
    const { of } = await here.look();
    expect(of("config")).toMatchObject([{ status: "fail", message: expect.stringContaining("config.yaml:2:3") }]);
    expect(of("disk")).toMatchObject([{ status: "ok" }]);
  });
});

describe("doctor --fix", { timeout: 180_000 }, () => {
  test("restricts open permissions, removes leftovers of dead processes, and does not change anything else", async () => {
    await using here = place();
    mkdirSync(join(here.home, "run"), { recursive: true, mode: 0o755 });
    mkdirSync(join(here.home, "sessions"), { mode: 0o755 });
    mkdirSync(join(here.home, "workspaces", "w"), { recursive: true, mode: 0o700 });
    const file = (path: string, mode: number) => {
      writeFileSync(join(here.home, path), "{}");
      chmodSync(join(here.home, path), mode);
      return join(here.home, path);
    };
    const record = file("sessions/a.json", 0o644);
    const theirs = file("workspaces/w/run.sh", 0o755);
    const outside = join(here.dir, "outside");
    writeFileSync(outside, "", { mode: 0o644 });
    symlinkSync(outside, join(here.home, "link"));
    const dead = file(`.a.${await endedPid()}.0123456789abcdef.tmp`, 0o600);
    const alive = file(`.a.${process.pid}.0123456789abcdef.tmp`, 0o600);
    const fresh = file("x.0123456789abcdef", 0o600);
    const turn = file("run/starting", 0o600);
    writeFileSync(turn, String(await endedPid()));

    const before = await here.look();
    expect(before.exit).toBe(6);
    for (const id of ["home", "socket", "rights"]) expect(before.of(id)).toMatchObject([{ status: "fail" }]);
    expect(before.of("leftovers")).toMatchObject([{ status: "warn", fixable: true }]);

    const { checks, fixes, of } = await here.look("--fix");
    expect(faultsIn(checks)).toEqual([]);
    expect(fixes.filter(({ outcome }: { outcome: string }) => outcome === "done").map(({ id }: Found) => id)).toEqual([
      ...["home", "socket", "rights", "leftovers"],
    ]);
    for (const id of ["home", "socket", "rights", "leftovers"]) expect(of(id)).toMatchObject([{ status: "ok" }]);
    const mode = (path: string) => lstatSync(path).mode & 0o777;
    expect([mode(here.home), mode(join(here.home, "run")), mode(record), mode(theirs), mode(outside)]).toEqual([
      0o700, 0o700, 0o600, 0o755, 0o644,
    ]);
    expect([dead, alive, fresh, turn].map((path) => existsSync(path))).toEqual([false, true, true, false]);
  });

  test("removes a socket without a listener, and nothing but sockets", async () => {
    using dir = temporaryDir();
    const socket = join(dir.path, "tmpm.sock");
    const location = { home: dir.path, socket, log: "/l", tmuxSocket: "t" };
    const look = () => socketAnswers({ ...LOCAL, location });
    await abandonSocket(socket);
    const [stale] = await look();
    expect(stale).toMatchObject({ status: "warn", message: `nothing listens at ${socket}` });
    expect(await stale?.cure?.()).toContain("removed");
    expect(existsSync(socket)).toBe(false);
    expect(await stale?.cure?.(), "replaced meanwhile").toContain("left");
    writeFileSync(socket, "");
    expect(await look()).toMatchObject([{ status: "fail", message: `${socket} is not a socket that you own` }]);
    expect((await look())[0]).not.toHaveProperty("cure");
    const server = createServer();
    rmSync(socket);
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    chmodSync(socket, 0o666);
    const [open] = await look();
    await open?.cure?.();
    expect([open?.status, lstatSync(socket).mode & 0o777]).toEqual(["fail", 0o600]);
    expect(await look()).toMatchObject([{ status: "ok" }]);
    await new Promise((resolve) => server.close(resolve));
  });

  test("makes a tmux server recreate a lost socket", async () => {
    if (!existsSync("/proc/self/stat")) return console.log("skipped: processes cannot be listed without /proc");
    await using here = place();
    mkdirSync(join(here.home, "run"), { recursive: true, mode: 0o700 });
    mkdirSync(join(here.home, "tmux"), { mode: 0o700 });
    chmodSync(here.home, 0o700);
    const settings = join(here.home, "tmux", "tmux.conf");
    writeFileSync(settings, "", { mode: 0o600 });
    const socket = join(here.home, "run", "tmux.sock");
    const tmux = (...words: readonly string[]) =>
      execFileSync("tmux", ["-f", settings, "-S", socket, ...words], { encoding: "utf8" }).trim();
    tmux("new-session", "-d", "-s", "kept", "exec sleep 600");
    const pid = tmux("display-message", "-p", "#{pid}");
    try {
      rmSync(socket);
      expect((await here.look()).of("strays")).toMatchObject([
        { status: "fail", message: expect.stringContaining(`tmux server ${pid} runs`) },
      ]);
      expect((await here.look("--fix")).of("strays")).toMatchObject([{ status: "ok" }]);
      expect(tmux("display-message", "-p", "#{pid} #{session_name}")).toBe(`${pid} kept`);
    } finally {
      process.kill(Number(pid), "SIGTERM");
    }
  });

  test("replaces a daemon of another version only on request", async () => {
    await using here = await answering(({ url }) => {
      const health = {
        status: "ok",
        version: "9.9.9",
        pid: 1,
        started_at: "2026-01-01T00:00:00Z",
        home: "/h",
        store: { state: "ok", message: null },
      };
      return { version: "9.9.9", body: url === "/healthz" ? health : { checks: [], sessions: [] } };
    });
    const { exit, stdout } = await here.tmpm("doctor", "--fix", "--json");
    expect(exit).toBe(6);
    expect(JSON.parse(stdout).fixes).toContainEqual(expect.objectContaining({ id: "daemon", outcome: "left" }));
    expect(here.asked.map(({ url }) => url)).not.toContain("/v1/daemon/shutdown");
    expect((await here.tmpm("doctor", "--restart")).exit).toBe(2);
  });
});

describe("single checks", () => {
  test("a clock that was set back is detected by earlier timestamps", async () => {
    using dir = temporaryDir();
    const path = join(dir.path, "daemon.log");
    writeFileSync(path, "");
    const location = { home: dir.path, socket: "/s", log: path, tmuxSocket: "t" };
    expect(await clock({ ...LOCAL, location })).toMatchObject([{ status: "ok" }]);
    utimesSync(path, Date.now() / 1000, Date.now() / 1000 + 3600);
    expect(await clock({ ...LOCAL, location })).toMatchObject([
      { status: "warn", message: expect.stringMatching(/daemon\.log was written 3\d{3} s from now/) },
    ]);
    utimesSync(path, 1, 1);
    expect(await clock({ ...LOCAL, location }, { now: () => Date.now() + 60_000 })).toMatchObject([
      { status: "warn", message: expect.stringMatching(/the disk's clock is \d+ s off/) },
    ]);
  });

  test("only a nearly exhausted limit is reported, with its remedy", async () => {
    const wide = { what: "open files", limit: 4096, used: null, spare: 1024, cure: "a" };
    const short = { what: "terminals", limit: 256, used: 200, spare: 64, cure: "sysctl" };
    expect(await limits([wide])).toMatchObject([{ status: "ok", message: "open files 4,096" }]);
    expect(await limits([wide, short])).toMatchObject([{ status: "warn", message: "terminals 200 of 256", hint: "sysctl" }]);
    expect(await limits(null)).toMatchObject([{ status: "skip" }]);
  });

  test("stray processes are identified by marks that only tmpm sets, and none is ended", async () => {
    const home = "/h";
    const location = { home, socket: "/h/run/tmpm.sock", log: "/h/l", tmuxSocket: "/nonexistent/tmux.sock" };
    const one = (pid: number, more: Partial<OwnProcess> & { readonly vars?: Readonly<Record<string, string>> }): OwnProcess => {
      const { vars = {}, ...rest } = more;
      return { pid, parent: 1, name: "node", args: [], env: new Map(Object.entries(vars)), ...rest };
    };
    const tmux = { name: "tmux: client", args: ["tmux", "-f", "/h/tmux/tmux.conf", "-C"] };
    const ours = { TMPM_SOCKET: location.socket };
    const processes = [
      one(10, { vars: { ...ours, TMPM_CLI: "/tmpm" } }),
      one(11, { ...tmux, parent: 15 }),
      one(15, { name: "sh", parent: 10 }),
      one(12, { vars: { ...ours, TMPM_SESSION_ID: "live" } }),
      one(13, { vars: { TMPM_SOCKET: "/other", TMPM_SESSION_ID: "gone" } }),
      one(14, { name: "tmux: client", args: ["tmux", "-C"] }),
    ];
    const health = { status: "ok", version: "1", pid: 10, started_at: "", home, store: { state: "ok", message: null } } as const;
    const known = { kind: "running", pid: 10, health, live: async () => new Set(["live"]) } as const;
    const look = (more: readonly OwnProcess[]) => strays({ ...LOCAL, location }, { known, processes: [...processes, ...more] });
    expect(await look([])).toMatchObject([{ status: "ok" }]);
    const found = await look([
      one(20, { vars: { ...ours, TMPM_CLI: "/tmpm" } }),
      one(21, { ...tmux, parent: 1 }),
      one(process.pid, { vars: { ...ours, TMPM_SESSION_ID: "gone", TMPM_SESSION_NAME: "old" } }),
      one(await endedPid(), { vars: { ...ours, TMPM_SESSION_ID: "gone" } }),
    ]);
    expect(found.map(({ message, cure }) => [message, cure])).toEqual([
      [expect.stringMatching(/another daemon process is running: 20$/), undefined],
      [expect.stringMatching(/^tmux client 21 /), undefined],
      [`1 processes of sessions that no longer run (old): ${process.pid}`, undefined],
    ]);
    expect(await strays({ ...LOCAL, location }, { known, processes: null })).toMatchObject([{ status: "skip" }]);
  });
});

/** The id of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn("true");
  await new Promise((resolve) => child.on("close", resolve));
  return child.pid ?? 0;
}

/** A socket as left by a killed process. */
async function abandonSocket(path: string): Promise<void> {
  const script = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  const child = spawn(process.execPath, ["-e", script]);
  await new Promise((resolve) => child.on("close", resolve));
  expect(lstatSync(path).isSocket()).toBe(true);
}
