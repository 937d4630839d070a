import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HealthAnswer } from "@tmpm/api";
import { client } from "@tmpm/api/client";
import { currentUid, type Location, localTransport, makePrivateDir } from "@tmpm/api/local";
import { ERRORS, hasCode, TmpmError } from "@tmpm/core";
import { lastLoggedError, logSize, openLog, tailLog } from "./daemon-log.js";
import { requireTmux } from "./programs.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface StartOptions {
  readonly env: Env;
  readonly location: Location;
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 15_000;
const POLL_MS = 25;
/** A daemon that lost the race for the lock is tried again after this time: the winner may have been one that was just ending. */
const RETRY_MS = 1000;

/**
 * Resolves once a daemon answers on the socket; starts one when none does. Many callers at once get one daemon.
 * @throws TMUX_NOT_FOUND, UNSAFE_PATH, the error that the daemon logged, or DAEMON_UNREACHABLE
 */
export async function startDaemon({ env, location, deadlineMs = DEADLINE_MS }: StartOptions): Promise<HealthAnswer> {
  requireTmux(env);
  makePrivateDir(location.home, currentUid());
  makePrivateDir(dirname(location.socket), currentUid());
  const log = openLog(location.log);
  const from = logSize(log);
  const deadline = Date.now() + deadlineMs;
  let attempt: Attempt | null = null;
  try {
    for (;;) {
      const health = await askHealth(location);
      if (health !== null) return health;
      if (attempt === null || mayRetry(attempt)) attempt = launch(daemonCommand(env), { env, location, log });
      if (attempt.failed() || Date.now() > deadline) throw startFailure(location, { from, attempt });
      await sleep(POLL_MS);
    }
  } finally {
    closeSync(log);
    attempt?.child.unref();
  }
}

/** The daemon in this terminal, until it ends. Returns its exit status. */
export function runDaemon({ env, location }: StartOptions): Promise<number> {
  requireTmux(env);
  const [program, ...args] = daemonCommand(env);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit", env: daemonEnv(env, location) });
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    process.on("SIGINT", () => {}).on("SIGTERM", forward);
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** The daemon that answers on the socket; null when none does. */
export async function askHealth(location: Location): Promise<HealthAnswer | null> {
  try {
    return await client({ transport: localTransport({ socket: location.socket }) }).health({}, { timeoutMs: 2000 });
  } catch (error) {
    if (hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN")) return null;
    throw error;
  }
}

interface Attempt {
  readonly child: ChildProcess;
  readonly startedAt: number;
  /** Ended, and not because another daemon holds the lock. */
  failed(): boolean;
}

function launch([program, ...args]: Command, { env, location, log }: StartOptions & { log: number }): Attempt {
  const child = spawn(program, args, { detached: true, cwd: "/", stdio: ["ignore", log, log], env: daemonEnv(env, location) });
  let broken = false;
  child.on("error", () => (broken = true));
  return {
    child,
    startedAt: Date.now(),
    failed: () => broken || child.signalCode !== null || (child.exitCode !== null && child.exitCode !== ERRORS.DAEMON_RUNNING.exit),
  };
}

function mayRetry({ child, startedAt }: Attempt): boolean {
  return child.exitCode === ERRORS.DAEMON_RUNNING.exit && Date.now() - startedAt > RETRY_MS;
}

type Command = readonly [program: string, ...args: string[]];

function daemonCommand(env: Env): Command {
  const chosen = env.TMPM_DAEMON;
  const path = chosen ? resolve(chosen) : installedDaemon();
  if (!existsSync(path)) {
    throw new TmpmError("DAEMON_UNREACHABLE", `the daemon's program is missing: ${path}`, {
      hint: "Install tmpm again; in a clone of its repository, run `npm start`.",
      details: { path },
    });
  }
  return /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path];
}

function installedDaemon(): string {
  return createRequire(import.meta.url).resolve("@tmpm/daemon/main");
}

/** Absolute paths, since the daemon runs in `/`; nothing of the tmux that the caller may sit in. */
function daemonEnv(env: Env, { home, socket, tmuxSocket }: Location): NodeJS.ProcessEnv {
  const { TMUX: _, TMUX_PANE: __, ...rest } = env;
  return {
    ...rest,
    TMPM_SOCKET: socket,
    ...(env.TMPM_HOME ? { TMPM_HOME: home } : {}),
    ...(env.TMPM_TMUX_SOCKET ? { TMPM_TMUX_SOCKET: tmuxSocket } : {}),
  };
}

function startFailure(location: Location, { from, attempt }: { from: number; attempt: Attempt }): TmpmError {
  const lines = tailLog(location.log, { from, lines: 20 });
  const logged = attempt.failed() ? lastLoggedError(lines) : null;
  if (logged !== null) return logged;
  const what = attempt.failed()
    ? `the daemon ended at once (status ${attempt.child.exitCode ?? attempt.child.signalCode})`
    : "the daemon does not answer";
  return new TmpmError("DAEMON_UNREACHABLE", [what, ...lines.slice(-5)].join("\n"), {
    hint: `Its log is ${location.log}.`,
    details: { log: location.log, lines },
  });
}
