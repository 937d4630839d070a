import { setTimeout as sleep } from "node:timers/promises";
import type { HealthAnswer } from "@tmpm/api";
import { isNotRunning } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { refusedAtFirst } from "../system/system-fault.js";
import { withProgram } from "./daemon-program.js";
import { forgetListening, keepListening, keptListening } from "./kept-listening.js";
import { checkListening, type ListenRequest, listenEnv, sameListening } from "./listen-request.js";
import { isAlive } from "./process-alive.js";

export const HEALTH_MS = 5000;
const STOP_MS = 30_000;

/** A responding daemon: the running one or a new one, started by the installed service, else in the background. */
export async function startAgain(context: Context, wanted: ListenRequest): Promise<HealthAnswer> {
  if ((await running(context)) === null) await refresh(context, wanted);
  return begin(context, wanted);
}

/** Ends the daemon, so that the next one listens on its socket only. Null if none ran. @throws DAEMON_UNREACHABLE if it does not end */
export async function stopDaemon(context: Context): Promise<HealthAnswer | null> {
  const ended = await end(context);
  try {
    forgetListening(context.location());
  } catch (error) {
    throw ended === null ? refusedAtFirst(error) : error;
  }
  return ended;
}

/** A new daemon of this version; by default it listens where the old one did. */
export async function restartDaemon(context: Context, wanted: ListenRequest): Promise<HealthAnswer> {
  const kept = keptListening(context.location());
  const before = await end(context);
  await refresh(context, wanted);
  const isSaid = wanted.listen !== undefined || context.env.TMPM_LISTEN !== undefined;
  if (isSaid || before === null) return begin(context, wanted);
  return begin(context, { ...wanted, ...(kept.listen === undefined ? sameListening(before) : kept) });
}

/** The daemon in this terminal. Returns its exit status. */
export async function runDaemonHere({ env, settled, location }: Context, wanted: ListenRequest): Promise<number> {
  const { runDaemon } = await import("./daemon-process.js");
  return runDaemon({ env: listenEnv(withProgram({ env, settled }), wanted), location: location() });
}

async function begin({ env, settled, location }: Context, wanted: ListenRequest): Promise<HealthAnswer> {
  const { startDaemon } = await import("./daemon-process.js");
  const started = listenEnv(env, wanted);
  const health = await startDaemon({ env: withProgram({ env: started, settled }), location: location() });
  checkListening(wanted, health);
  keepListening(location(), started);
  return health;
}

async function refresh({ env, settled, location }: Context, wanted: ListenRequest): Promise<void> {
  const { refreshService } = await import("../service/refresh-service.js");
  await refreshService({ env: withProgram({ env, settled }), location: location() }, wanted);
}

function running(context: Context): Promise<HealthAnswer | null> {
  return context.observer().health({}, { timeoutMs: HEALTH_MS }).catch(nullWhenNotRunning);
}

/** Resolves once it is gone. */
async function end(context: Context): Promise<HealthAnswer | null> {
  const health = await running(context);
  if (health === null) return null;
  await context.observer().shutdown();
  const deadline = Date.now() + STOP_MS;
  while (isAlive(health.pid)) {
    if (Date.now() > deadline) {
      throw new TmpmError("DAEMON_UNREACHABLE", `the daemon (pid ${health.pid}) did not stop`, {
        effect: "unknown",
        hint: `End it with \`kill ${health.pid}\`; sessions keep running.`,
      });
    }
    await sleep(25);
  }
  return health;
}

function nullWhenNotRunning(error: unknown): null {
  if (isNotRunning(error)) return null;
  throw error;
}
