import { execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Client, client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { hasCode } from "@tmpm/core/errors";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

const run = promisify(execFile);
/** The built program. */
export const CHECKOUT = resolve(import.meta.dirname, "../tmpm");

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The whole environment instead of the fixture's; for `env -i`. */
  readonly onlyEnv?: Readonly<Record<string, string>>;
}

/** A user of the built program with a separate home, daemon and tmux server. */
export interface Fixture {
  readonly home: string;
  /** An empty directory to work in. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tmuxSocket: string;
  tmpm(argv: readonly string[], options?: RunOptions): Promise<Result>;
  /** The parsed output of a command that must succeed. */
  json<T>(argv: readonly string[], options?: RunOptions): Promise<T>;
  /** Queries the running daemon without starting a program: polling repeats such queries. */
  readonly api: Client;
  tmux(...argv: readonly string[]): Promise<string>;
  daemonPid(): Promise<number>;
  /** Resolves once the daemon has ended; at once if none runs. */
  stopDaemon(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Added to the report of a failing test: the open fixtures, by their home, and the logs of those that were closed since it began. */
const open = new Map<string, Pick<Fixture, "tmux" | "api">>();
const closed: string[] = [];

// Scripts for manual experiments use fixtures, too.
if (process.env.VITEST !== undefined) {
  beforeEach(() => {
    closed.length = 0;
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") console.error([...closed, await evidence()].join("\n"));
  });
}

/** The sessions, the screens and the daemon's log of each open fixture, as far as available. */
async function evidence(): Promise<string> {
  const reports = [...open].map(async ([home, { api, tmux }]) => {
    const sessions = await api.list({ all: true }).then(
      (list) => list.sessions.map(({ name, state, intent }) => `${name} ${state} ${intent === null ? "" : JSON.stringify(intent)}`),
      (error: unknown) => [`no list: ${error}`],
    );
    const panes = await tmux("list-panes", "-a", "-F", "#{pane_id} #{session_name}").catch((error: unknown) => `no panes: ${error}`);
    const screens = panes.split("\n").filter((row) => row.startsWith("%"));
    const shown = screens.map(async (row) => `${row}\n${await tmux("capture-pane", "-p", "-t", row.split(" ")[0] ?? "").catch(String)}`);
    return [`sessions: ${sessions.join(", ")}`, ...(await Promise.all(shown)), await logOf(home)].join("\n");
  });
  return (await Promise.all(reports)).join("\n");
}

/** The end of a daemon's log. */
async function logOf(home: string): Promise<string> {
  return `log of ${home}:\n${(await daemonLog(home)).split("\n").slice(-60).join("\n")}`;
}

/** `program` is the user's `tmpm`; by default that of the checkout. */
export async function fixture(extraEnv: Readonly<Record<string, string>> = {}, program = CHECKOUT): Promise<Fixture> {
  const root = await mkdtemp(join(tmpdir(), "tmpm-e2e-"));
  const home = join(root, "state");
  const dir = await mkdtemp(join(root, "work-"));
  const env = { HOME: root, PATH: process.env.PATH ?? "", SHELL: "/bin/bash", TMPM_HOME: home, TERM: "xterm-256color", ...extraEnv };
  const tmuxSocket = join(home, "run", "tmux.sock");

  function tmpm(argv: readonly string[], options: RunOptions = {}): Promise<Result> {
    return execute([program, ...argv], { input: options.input, env: options.onlyEnv ?? { ...env, ...options.env }, cwd: dir });
  }

  async function json<T>(argv: readonly string[], options: RunOptions = {}): Promise<T> {
    const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
    const result = await tmpm(argv.toSpliced(end, 0, "--json"), options);
    if (result.code !== 0) throw new Error(`tmpm ${argv.join(" ")} exited ${result.code}: ${result.stdout}${result.stderr}`);
    return JSON.parse(result.stdout) as T;
  }

  const tmux = async (...argv: readonly string[]) => (await run("tmux", ["-u", "-S", tmuxSocket, ...argv])).stdout;
  const api = client({ transport: localTransport({ socket: join(home, "run", "tmpm.sock") }) });
  const daemonPid = async () => (await api.health()).pid;

  async function stopDaemon(): Promise<void> {
    const pid = await daemonPid().catch(nullWithoutDaemon);
    if (pid === null) return;
    await api.shutdown().catch(nullWithoutDaemon);
    await gone(pid);
  }

  open.set(home, { tmux, api });
  return {
    home,
    dir,
    env,
    tmuxSocket,
    tmpm,
    json,
    api,
    tmux,
    daemonPid,
    stopDaemon,
    async [Symbol.asyncDispose]() {
      open.delete(home);
      await stopDaemon().catch(async (error: unknown) => {
        closed.push(`the daemon did not stop when asked: ${error}`);
        await killDaemon(home);
      });
      closed.push(await logOf(home));
      // The server ends with its last session.
      await tmux("kill-server").catch(() => undefined);
      await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** Ends an unresponsive daemon: the processes of that home that run a daemon's program. */
async function killDaemon(home: string): Promise<void> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const [argv, env] = await Promise.all(["cmdline", "environ"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")));
    if (!/\/apps\/daemon\/dist\/main\.js\0/.test(argv ?? "") || !env?.split("\0").includes(`TMPM_HOME=${home}`)) continue;
    process.kill(Number(pid), "SIGKILL");
    await gone(Number(pid));
  }
}

/** A daemon that is already stopping, or ends during the query, does not count. */
function nullWithoutDaemon(error: unknown): null {
  if (hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN")) return null;
  throw error;
}

/**
 * One user for tests that leave each other's sessions unchanged: a separate daemon costs more than most of them. Call it in the scope of
 * the tests.
 */
export function sharedFixture(extraEnv: Readonly<Record<string, string>> = {}): () => Fixture {
  let shared: Fixture | null = null;
  beforeAll(async () => {
    shared = await fixture(extraEnv);
  });
  afterAll(() => shared?.[Symbol.asyncDispose](), 120_000);
  return () => {
    if (shared === null) throw new Error("the fixture exists only while tests run");
    return shared;
  };
}

export function execute(
  [program = "", ...argv]: readonly string[],
  options: { input: string | undefined; env: Readonly<Record<string, string>>; cwd: string },
): Promise<Result> {
  return new Promise((done, fail) => {
    const child = spawn(program, argv, { env: options.env, cwd: options.cwd, stdio: ["pipe", "pipe", "pipe"] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", fail);
    child.on("close", (code) => done({ code: code ?? -1, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }));
    // A command that does not read its input may have ended already.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
  });
}

/** Slow conditions are polled less often: the queries would take processor time from the awaited work. */
const MOST_PAUSE_MS = 200;

/** Polls until the probe returns a value other than null. A timeout fails with the probe, and with the state of the open fixtures. */
export async function eventually<T>(probe: () => Promise<T | null>, ms = 100_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (let pause = 25; ; pause = Math.min(1.2 * pause, MOST_PAUSE_MS)) {
    const value = await probe();
    if (value !== null) return value;
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms for ${probe}\n${await evidence()}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Empty if it is not a regular file, because a read could block. */
export async function daemonLog(home: string): Promise<string> {
  const path = join(home, "daemon.log");
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  return isFile ? readFile(path, "utf8").catch(() => "") : "";
}

/**
 * Resolves once no client of a new daemon is connecting to the tmux server, which may end when it gets a request meanwhile. The first query
 * makes the server known to the daemon; the second waits for the client.
 */
export async function untilNoClientConnects({ api }: Fixture, session: string): Promise<void> {
  await api.capture({ session });
  await api.capture({ session });
}

/** Resolves once the process has ended. */
export async function gone(pid: number): Promise<void> {
  await eventually(async () => ((await isAlive(pid)) ? null : true));
}

/** An ended process counts as gone even before its parent has collected its status. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}
