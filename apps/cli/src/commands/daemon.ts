import { setTimeout as sleep } from "node:timers/promises";
import type { HealthAnswer } from "@tmpm/api";
import { isNotRunning } from "@tmpm/api/local";
import { TmpmError, visibleText } from "@tmpm/core";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { isAlive } from "../process-alive.js";
import { columns } from "../render/columns.js";

const ACTIONS = ["status", "start", "stop", "restart", "run", "logs"] as const;

const HEALTH_MS = 5000;
const STOP_MS = 30_000;

type Result =
  | { readonly kind: "health"; readonly health: HealthAnswer; readonly done: "runs" | "started" | "restarted" }
  | { readonly kind: "stopped"; readonly was: "running" | "stopped" }
  | { readonly kind: "ran"; readonly status: number }
  | { readonly kind: "logs"; readonly lines: readonly string[] };

export const daemon = command({
  name: "daemon",
  summary: "Look after the daemon, which other commands start when they need it",
  more: "restart also replaces a daemon of another version. run stays in this terminal. No action touches a session.",
  args: {
    action: { takes: "optional", label: "ACTION", summary: "status (when not given), start, stop, restart, run or logs", choices: ACTIONS },
  },
  options: { lines: { takes: "count", label: "N", summary: "How many lines of its log: 50 when not given" } },
  async run({ action = "status", lines = 50 }, context): Promise<Result> {
    switch (action) {
      case "status":
        return { kind: "health", health: await context.observer().health({}, { timeoutMs: HEALTH_MS }), done: "runs" };
      case "start":
        return { kind: "health", health: await start(context), done: "started" };
      case "stop":
        return { kind: "stopped", was: (await stop(context)) ? "running" : "stopped" };
      case "restart":
        await stop(context);
        return { kind: "health", health: await start(context), done: "restarted" };
      case "run":
        return { kind: "ran", status: await run(context) };
      case "logs":
        return { kind: "logs", lines: await logs(context, lines) };
    }
  },
  render(result) {
    switch (result.kind) {
      case "health":
        return renderHealth(result.health, result.done);
      case "stopped":
        return result.was === "running" ? "the daemon has stopped; sessions keep running" : "the daemon was not running";
      case "ran":
        return "";
      case "logs":
        return result.lines.map(visibleText).join("\n");
    }
  },
  json(result) {
    switch (result.kind) {
      case "health":
        return JSON.stringify(result.health);
      case "stopped":
        return JSON.stringify({ stopping: result.was === "running" });
      case "ran":
        return JSON.stringify({ status: result.status });
      case "logs":
        return JSON.stringify({ lines: result.lines });
    }
  },
  exit: (result) => (result.kind === "ran" ? result.status : 0),
});

async function start(context: Context): Promise<HealthAnswer> {
  const { startDaemon } = await import("../daemon-process.js");
  return startDaemon({ env: context.env, location: context.location() });
}

async function run(context: Context): Promise<number> {
  const { runDaemon } = await import("../daemon-process.js");
  return runDaemon({ env: context.env, location: context.location() });
}

async function logs(context: Context, lines: number): Promise<readonly string[]> {
  const { tailLog } = await import("../daemon-log.js");
  return tailLog(context.location().log, { from: 0, lines });
}

/** Whether one was running. Resolves once it is gone. @throws DAEMON_UNREACHABLE when it does not go */
async function stop(context: Context): Promise<boolean> {
  const running = await context.observer().health({}, { timeoutMs: HEALTH_MS }).catch(nullWhenNotRunning);
  if (running === null) return false;
  await context.observer().shutdown();
  const deadline = Date.now() + STOP_MS;
  while (isAlive(running.pid)) {
    if (Date.now() > deadline) {
      throw new TmpmError("DAEMON_UNREACHABLE", `the daemon (pid ${running.pid}) does not stop`, {
        effect: "unknown",
        hint: `End it with \`kill ${running.pid}\`; sessions keep running.`,
      });
    }
    await sleep(25);
  }
  return true;
}

function nullWhenNotRunning(error: unknown): null {
  if (isNotRunning(error)) return null;
  throw error;
}

function renderHealth(health: HealthAnswer, done: string): string {
  const { status, version, pid, started_at, home, store, events } = health;
  const stated = ({ state, message }: { readonly state: string; readonly message: string | null }) =>
    message === null ? state : `${state}: ${message}`;
  const facts = [
    ["daemon", done === "runs" ? status : `${done}, ${status}`],
    ["version", version],
    ["pid", String(pid)],
    ["started_at", started_at],
    ["home", home],
    ["store", stated(store)],
    ...(events === undefined ? [] : [["events", stated(events)]]),
  ];
  return columns(facts);
}
