import type { AuditAnswer, HealthAnswer } from "@tmpm/api";
import { daemonUrl } from "@tmpm/api/local";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { HEALTH_MS, restartDaemon, runDaemonHere, startAgain, stopDaemon } from "../daemon/daemon-life.js";
import { refuseListening } from "../daemon/listen-request.js";
import { usageError } from "../parse/usage-error.js";
import { answerOf, component, FLAG, listOf, OR_NULL, objectOf, TEXT } from "../printed.js";
import { renderAudit } from "../render/audit.js";
import { renderHealth } from "../render/health.js";
import { jsonService, renderService, type ServiceResult, serviceNotes } from "../render/service.js";
import { plainText } from "../render/shown-text.js";
import { NO_TERMINAL } from "../render/terminal-view.js";
import type { ServiceAnswer } from "../service/service-answer.js";

const ACTIONS = ["status", "start", "stop", "restart", "run", "install", "uninstall", "logs", "audit"] as const;

/** Actions that accept --listen. */
const STARTS: ReadonlySet<string> = new Set(["start", "restart", "run", "install"]);
/** Actions that work with any daemon, local or remote. */
const ASKS: ReadonlySet<string> = new Set(["status", "audit"]);

type Result =
  | {
      readonly kind: "health";
      readonly health: HealthAnswer;
      readonly service: ServiceAnswer | null;
      readonly done: "runs" | "started" | "restarted";
    }
  | { readonly kind: "stopped"; readonly was: "running" | "stopped" }
  | { readonly kind: "ran"; readonly status: number }
  | { readonly kind: "audit"; readonly audit: AuditAnswer }
  | { readonly kind: "logs"; readonly lines: readonly string[] }
  | ServiceResult;

const SERVICE = objectOf({
  manager: TEXT,
  label: { type: OR_NULL },
  file: { type: OR_NULL },
  enabled: FLAG,
  active: { type: OR_NULL },
  message: { type: OR_NULL },
});

export const daemon = command({
  name: "daemon",
  group: "Set up tmpm",
  summary: "Manage the daemon, which other commands start when needed",
  more: `restart also replaces a daemon of another version. run stays in this terminal. audit prints requests and refusals, and checks that the log
was not edited. install has systemd or launchd start the daemon at every login, and uninstall reverts that; without either, the daemon starts in the
background with the first command that needs it. No action affects a session. With --listen the daemon also listens on TCP, which requires a token;
TMPM_LISTEN does so at every start. See docs/service.md and docs/security.md.

Examples:
  tmpm daemon restart                           to this version, after an upgrade
  tmpm daemon install --print                   what would be installed
  tmpm daemon restart --listen 127.0.0.1:7777
  tmpm daemon start --listen 192.0.2.7:7777 --tls-cert cert.pem --tls-key key.pem
  tmpm daemon audit --lines 20
  tmpm daemon logs --follow`,
  args: {
    action: {
      takes: "optional",
      label: "ACTION",
      summary: "status (default), start, stop, restart, run, install, uninstall, logs or audit",
      choices: ACTIONS,
    },
  },
  options: {
    lines: { takes: "count", label: "N", summary: "logs, audit: number of lines (default: 50)" },
    follow: { takes: "flag", summary: "logs: continue with new lines" },
    print: { takes: "flag", summary: "install: print the service file without installing it" },
    listen: { takes: "text", label: "ADDRESS:PORT", summary: "start, restart, run, install: also listen on this address" },
    tlsCert: { takes: "text", label: "FILE", summary: "TLS certificate, PEM; required beyond the loopback interface" },
    tlsKey: { takes: "text", label: "FILE", summary: "Private key of the certificate, PEM" },
  },
  printed: {
    forms: [
      { allOf: [answerOf("health"), objectOf({ service: { anyOf: [SERVICE, { type: "null" }] } })] },
      answerOf("health"),
      answerOf("audit"),
      objectOf({ stopping: FLAG }),
      objectOf({ status: { type: "integer" } }),
      objectOf({ lines: listOf(TEXT) }),
      objectOf({ line: TEXT }),
      objectOf({ file: TEXT, text: TEXT }),
      objectOf({ service: SERVICE, health: component("HealthAnswer") }),
      objectOf({ file: { type: OR_NULL } }),
    ],
    perLine: true,
  },
  modes: [
    {
      of: ({ action = "status" }) => action,
      takenBy: { lines: ["logs", "audit"], follow: ["logs"], print: ["install"] },
    },
  ],
  async run({ action = "status", lines: given, follow, print, ...wanted }, context): Promise<Result> {
    if (!STARTS.has(action)) refuseListening(wanted);
    const lines = given ?? 50;
    if (!ASKS.has(action) && daemonUrl(context.settled()) !== null)
      throw usageError(`${action} acts on this machine's daemon, but TMPM_URL is set`, "Run it without TMPM_URL, on the daemon's machine.");
    switch (action) {
      case "status": {
        const health = await context.observer().health({}, { timeoutMs: HEALTH_MS });
        return { kind: "health", health, service: await serviceHere(context), done: "runs" };
      }
      case "start":
        return { kind: "health", health: await startAgain(context, wanted), service: null, done: "started" };
      case "stop":
        return { kind: "stopped", was: (await stopDaemon(context)) === null ? "stopped" : "running" };
      case "restart":
        return { kind: "health", health: await restartDaemon(context, wanted), service: null, done: "restarted" };
      case "run":
        return { kind: "ran", status: await runDaemonHere(context, wanted) };
      case "install": {
        const { printService, setUpService } = await import("../service/set-up-service.js");
        return print ? printService(context, wanted) : setUpService(context, wanted);
      }
      case "uninstall": {
        const { takeDownService } = await import("../service/set-up-service.js");
        return takeDownService(context);
      }
      case "audit":
        return { kind: "audit", audit: await context.observer().audit({ limit: Math.min(lines, 1000) }) };
      case "logs":
        return { kind: "logs", lines: await logs(context, { lines, follow }) };
    }
  },
  render(result, view) {
    switch (result.kind) {
      case "health":
        return renderHealth(result, view);
      case "stopped":
        return result.was === "running" ? "the daemon has stopped; sessions keep running" : "the daemon was not running";
      case "ran":
        return "";
      case "logs":
        return result.lines.map(visibleText).join("\n");
      case "audit":
        return renderAudit(result.audit, view);
      default:
        return renderService(result);
    }
  },
  verbatim: ({ kind }) => kind === "logs" || kind === "file",
  json(result) {
    switch (result.kind) {
      case "health":
        return JSON.stringify(result.done === "runs" ? { ...result.health, service: result.service } : result.health);
      case "stopped":
        return JSON.stringify({ stopping: result.was === "running" });
      case "ran":
        return JSON.stringify({ status: result.status });
      case "logs":
        return JSON.stringify({ lines: result.lines });
      case "audit":
        return JSON.stringify(result.audit);
      default:
        return jsonService(result);
    }
  },
  notes: (result) => (result.kind === "file" ? serviceNotes(result) : []),
  exit(result) {
    if (result.kind === "audit") return result.audit.findings.some(({ kind }) => kind === "damaged") ? 1 : 0;
    return result.kind === "ran" ? result.status : 0;
  },
});

/** The lines not yet printed. */
async function logs(context: Context, { lines, follow }: { readonly lines: number; readonly follow: boolean }): Promise<readonly string[]> {
  if (follow) {
    const { followLog } = await import("../daemon/follow-log.js");
    const { terminal = NO_TERMINAL } = await context.view();
    for await (const line of followLog(context.location().log, { lines })) {
      if (!context.print({ text: plainText(visibleText(line), terminal), json: JSON.stringify({ line }) })) break;
    }
    return [];
  }
  const { tailLog } = await import("../daemon/daemon-log.js");
  return tailLog(context.location().log, { from: 0, lines });
}

/** Null for another machine's daemon, or without a service that manages this one. */
async function serviceHere(context: Context): Promise<ServiceAnswer | null> {
  if (daemonUrl(context.settled()) !== null) return null;
  const { serviceAnswer } = await import("../service/service-answer.js");
  return serviceAnswer({ env: context.env, location: context.location() });
}
