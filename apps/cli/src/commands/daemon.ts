import { setTimeout as sleep } from "node:timers/promises";
import type { AuditAnswer, HealthAnswer } from "@tmpm/api";
import { daemonUrl, isNotRunning } from "@tmpm/api/local";
import { TmpmError, visibleText } from "@tmpm/core";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { checkListening, type ListenRequest, listenEnv, refuseListening, sameListening } from "../listen-request.js";
import { isAlive } from "../process-alive.js";
import { renderAudit } from "../render/audit.js";
import { columns } from "../render/columns.js";
import { usageError } from "../usage-error.js";

const ACTIONS = ["status", "start", "stop", "restart", "run", "logs", "audit"] as const;

/** What takes --listen. */
const STARTS: ReadonlySet<string> = new Set(["start", "restart", "run"]);
/** What any daemon answers, wherever it is. */
const ASKS: ReadonlySet<string> = new Set(["status", "audit"]);

const HEALTH_MS = 5000;
const STOP_MS = 30_000;

type Result =
  | { readonly kind: "health"; readonly health: HealthAnswer; readonly done: "runs" | "started" | "restarted" }
  | { readonly kind: "stopped"; readonly was: "running" | "stopped" }
  | { readonly kind: "ran"; readonly status: number }
  | { readonly kind: "audit"; readonly audit: AuditAnswer }
  | { readonly kind: "logs"; readonly lines: readonly string[] };

export const daemon = command({
  name: "daemon",
  summary: "Look after the daemon, which other commands start when they need it",
  more: `restart also replaces a daemon of another version. run stays in this terminal. audit prints what was asked and refused, and checks that nobody
changed it. No action touches a session. With --listen the daemon also listens on TCP, where a token is needed; TMPM_LISTEN does the same for every start.
See docs/security.md.

  tmpm daemon restart --listen 127.0.0.1:7777
  tmpm daemon start --listen 192.0.2.7:7777 --tls-cert cert.pem --tls-key key.pem
  tmpm daemon audit --lines 20
  tmpm daemon logs --follow`,
  args: {
    action: {
      takes: "optional",
      label: "ACTION",
      summary: "status (when not given), start, stop, restart, run, logs or audit",
      choices: ACTIONS,
    },
  },
  options: {
    lines: { takes: "count", label: "N", summary: "logs, audit: how many lines of it: 50 when not given" },
    follow: { takes: "flag", summary: "logs: go on with what is written from now on" },
    listen: { takes: "text", label: "ADDRESS:PORT", summary: "start, restart, run: also listen there" },
    tlsCert: { takes: "text", label: "FILE", summary: "Its certificate, in PEM; needed beyond this machine" },
    tlsKey: { takes: "text", label: "FILE", summary: "The certificate's key, in PEM" },
  },
  async run({ action = "status", lines = 50, follow, ...wanted }, context): Promise<Result> {
    if (!STARTS.has(action)) refuseListening(wanted);
    if (!ASKS.has(action) && daemonUrl(context.env) !== null)
      throw usageError(
        `${action} is for the daemon of this machine, and TMPM_URL is set`,
        "Run it without TMPM_URL, where the daemon runs.",
      );
    switch (action) {
      case "status":
        return { kind: "health", health: await context.observer().health({}, { timeoutMs: HEALTH_MS }), done: "runs" };
      case "start":
        return { kind: "health", health: await start(context, wanted), done: "started" };
      case "stop":
        return { kind: "stopped", was: (await stop(context)) === null ? "stopped" : "running" };
      case "restart":
        return { kind: "health", health: await restart(context, wanted), done: "restarted" };
      case "run":
        return { kind: "ran", status: await run(context, wanted) };
      case "audit":
        return { kind: "audit", audit: await context.observer().audit({ limit: Math.min(lines, 1000) }) };
      case "logs":
        return { kind: "logs", lines: await logs(context, { lines, follow }) };
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
      case "audit":
        return renderAudit(result.audit);
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
      case "audit":
        return JSON.stringify(result.audit);
    }
  },
  exit(result) {
    if (result.kind === "audit") return result.audit.findings.some(({ kind }) => kind === "damaged") ? 1 : 0;
    return result.kind === "ran" ? result.status : 0;
  },
});

async function start({ env, location }: Context, wanted: ListenRequest): Promise<HealthAnswer> {
  const { startDaemon } = await import("../daemon-process.js");
  const health = await startDaemon({ env: listenEnv(env, wanted), location: location() });
  checkListening(wanted, health);
  return health;
}

/** Where nothing else is asked for, it listens where it did. */
async function restart(context: Context, wanted: ListenRequest): Promise<HealthAnswer> {
  const before = await stop(context);
  const isSaid = wanted.listen !== undefined || context.env.TMPM_LISTEN !== undefined;
  return start(context, isSaid || before === null ? wanted : { ...wanted, ...sameListening(before) });
}

async function run({ env, location }: Context, wanted: ListenRequest): Promise<number> {
  const { runDaemon } = await import("../daemon-process.js");
  return runDaemon({ env: listenEnv(env, wanted), location: location() });
}

/** Those that are not printed yet. */
async function logs(context: Context, { lines, follow }: { readonly lines: number; readonly follow: boolean }): Promise<readonly string[]> {
  if (follow) {
    const { followLog } = await import("../follow-log.js");
    for await (const line of followLog(context.location().log, { lines })) {
      if (!context.tell({ text: visibleText(line), json: JSON.stringify({ line }) })) break;
    }
    return [];
  }
  const { tailLog } = await import("../daemon-log.js");
  return tailLog(context.location().log, { from: 0, lines });
}

/** The one that was running; null when none was. Resolves once it is gone. @throws DAEMON_UNREACHABLE when it does not go */
async function stop(context: Context): Promise<HealthAnswer | null> {
  const running = await context.observer().health({}, { timeoutMs: HEALTH_MS }).catch(nullWhenNotRunning);
  if (running === null) return null;
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
  return running;
}

function nullWhenNotRunning(error: unknown): null {
  if (isNotRunning(error)) return null;
  throw error;
}

function renderHealth(health: HealthAnswer, done: string): string {
  const { status, version, pid, started_at, home, store, events, audit, listening = [] } = health;
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
    ...(audit === undefined ? [] : [["audit", stated(audit)]]),
    ...listening.map((url) => ["listening", url]),
  ];
  return columns(facts);
}
