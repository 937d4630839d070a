import { spawn } from "node:child_process";
import { closeSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HealthAnswer } from "@tmpm/api";
import { client } from "@tmpm/api/client";
import { checkPrivateDir, currentUid, type Location, localTransport, makePrivateDir } from "@tmpm/api/local";
import { ERRORS, hasCode, TmpmError } from "@tmpm/core";
import { type InstalledService, installedService } from "../service/installed-service.js";
import { lastLoggedError, openLog, tailLog } from "./daemon-log.js";
import { type DaemonCommand, daemonCommand, daemonEnv } from "./daemon-program.js";
import { inForeground } from "./foreground.js";
import { keptListening } from "./kept-listening.js";
import { listenEnv } from "./listen-request.js";
import { endTurn, takeTurn } from "./start-turn.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface StartOptions {
  readonly env: Env;
  readonly location: Location;
  readonly deadlineMs?: number;
}

/** A crash is noticed at once; a start on a busy machine may take this long. */
const DEADLINE_MS = 30_000;
const POLL_MS = 25;
/** Retry delay after losing the race for the lock: the winner may have been just ending. */
const RETRY_MS = 1000;

/**
 * Resolves once a daemon answers on the socket; starts one if none does. Concurrent callers get one daemon.
 * @throws UNSAFE_PATH, STORE_READ_ONLY, the error that the daemon logged, or DAEMON_UNREACHABLE
 */
export async function startDaemon({ env, location, deadlineMs = DEADLINE_MS }: StartOptions): Promise<HealthAnswer> {
  makePrivateDir(location.home, currentUid());
  makePrivateDir(dirname(location.socket), currentUid());
  const turn = join(dirname(location.socket), "starting");
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const health = await askHealth(location);
    if (health !== null) return health;
    if (takeTurn(turn)) {
      try {
        return await launch({ env, location, deadline });
      } finally {
        endTurn(turn);
      }
    }
    if (Date.now() > deadline) throw unanswered(location, []);
    await sleep(POLL_MS);
  }
}

/** The same for a command that needs a daemon implicitly: it listens as the last one was configured to. */
export function startDaemonAsBefore({ env, location, ...options }: StartOptions): Promise<HealthAnswer> {
  checkPrivateDir(location.home, currentUid());
  const wanted = env.TMPM_LISTEN === undefined ? keptListening(location) : {};
  return startDaemon({ ...options, location, env: listenEnv(env, wanted) });
}

/** The daemon in this terminal, until it ends. Returns its exit status. */
export async function runDaemon({ env, location }: Omit<StartOptions, "deadlineMs">): Promise<number> {
  return inForeground(daemonCommand(env), daemonEnv(env, location));
}

/** The daemon that answers on the socket; null if none does. */
export async function askHealth(location: Location): Promise<HealthAnswer | null> {
  try {
    return await client({ transport: localTransport({ socket: location.socket }) }).health({}, { timeoutMs: 2000 });
  } catch (error) {
    if (hasCode(error, "DAEMON_UNREACHABLE", "SHUTTING_DOWN")) return null;
    throw error;
  }
}

interface LaunchOptions {
  readonly env: Env;
  readonly location: Location;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** By the service that manages this data folder; without one, or if its manager refuses, in the background. */
async function launch(options: LaunchOptions): Promise<HealthAnswer> {
  const service = installedService(options);
  if (service === null) return launchInBackground(options);
  const from = statSync(options.location.log, { throwIfNoEntry: false })?.size ?? 0;
  return (await isBegun(service)) ? serviceAnswers({ ...options, from }) : launchInBackground(options);
}

async function isBegun({ manager }: InstalledService): Promise<boolean> {
  try {
    await manager.start();
    return true;
  } catch (error) {
    if (!hasCode(error, "LAUNCH_FAILED")) throw error;
    return false;
  }
}

/** `from`: the log's end before the start. */
async function serviceAnswers({ location, deadline, from }: LaunchOptions & { readonly from: number }): Promise<HealthAnswer> {
  for (;;) {
    const health = await askHealth(location);
    if (health !== null) return health;
    const lines = tailLog(location.log, { from, lines: 20 });
    const reason = lastLoggedError(lines);
    if (reason !== null && reason.code !== "DAEMON_RUNNING") throw reason;
    if (Date.now() > deadline) throw unanswered(location, lines);
    await sleep(POLL_MS);
  }
}

/** Starts a daemon; retries if a daemon that was just ending still held the lock. */
async function launchInBackground({ env, location, deadline }: LaunchOptions): Promise<HealthAnswer> {
  const command = daemonCommand(env);
  const { fd: log, lines: linesOf } = openLog(location.log);
  try {
    for (let attempt = spawnDaemon(command, { env, location, log }); ; ) {
      const health = await askHealth(location);
      if (health !== null) return health;
      const lines = () => linesOf(20);
      const end = attempt.end();
      if (end !== null && end !== ERRORS.DAEMON_RUNNING.exit)
        throw lastLoggedError(lines()) ?? endedAtOnce(location, { end, lines: lines() });
      if (Date.now() > deadline) throw unanswered(location, lines());
      if (end !== null && Date.now() - attempt.startedAt > RETRY_MS) attempt = spawnDaemon(command, { env, location, log });
      await sleep(POLL_MS);
    }
  } finally {
    closeSync(log);
  }
}

interface Attempt {
  readonly startedAt: number;
  /** How it ended: its status, a signal, or why it could not start; null while it runs. */
  end(): number | string | null;
}

/** A daemon started by an agent must not inherit this limit, the mark of the agent's session (`@tmpm/processes`). */
const UNMARKED = 'ulimit -S -w unlimited 2>/dev/null || ulimit -S -x unlimited 2>/dev/null; exec "$@"';

function spawnDaemon([program, ...args]: DaemonCommand, { env, location, log }: { env: Env; location: Location; log: number }): Attempt {
  const child = spawn("/bin/sh", ["-c", UNMARKED, "sh", program, ...args], {
    detached: true,
    cwd: "/",
    stdio: ["ignore", log, log],
    env: daemonEnv(env, location),
  });
  let broken: string | null = null;
  child.on("error", (error) => (broken = error.message));
  child.unref();
  return { startedAt: Date.now(), end: () => broken ?? child.signalCode ?? child.exitCode };
}

function endedAtOnce(location: Location, { end, lines }: { end: number | string; lines: readonly string[] }): TmpmError {
  return startFailure(`the daemon ended at once (${typeof end === "number" ? `status ${end}` : end})`, { location, lines });
}

function unanswered(location: Location, lines: readonly string[]): TmpmError {
  const reason = lastLoggedError(lines);
  if (reason?.code === "DAEMON_RUNNING") return elsewhere(location, reason);
  return startFailure("the daemon was started but does not answer", { location, lines });
}

/** A daemon started before the user had a folder in /run, or with other variables, has its socket elsewhere. */
function elsewhere({ socket }: Location, { message, details }: TmpmError): TmpmError {
  const pid = typeof details.pid === "number" ? details.pid : "PID";
  return new TmpmError("DAEMON_RUNNING", `${message}, but does not answer at ${socket}`, {
    hint: `It was started with other variables (TMPM_SOCKET, XDG_RUNTIME_DIR), or hangs. End it with \`kill ${pid}\`, which ends no session, then run this again.`,
    details: { ...details, socket },
  });
}

function startFailure(message: string, { location, lines }: { location: Location; lines: readonly string[] }): TmpmError {
  return new TmpmError("DAEMON_UNREACHABLE", message, {
    hint: [`Its log is ${location.log}.`, ...lines.slice(-5)].join("\n"),
    details: { log: location.log, lines },
  });
}
