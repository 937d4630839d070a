import type { AgentAdapter, ConfiguredAgents } from "@tmpm/agents";
import type { AuditAnswer, Check } from "@tmpm/api";
import type { SessionRecord } from "@tmpm/core";
import type { SessionStore } from "@tmpm/store";
import type { HookCounts } from "@tmpm/supervisor";
import type { TmuxDriver } from "@tmpm/tmux-driver";
import { tmuxChecks } from "./doctor-tmux.js";

/** Looks at what the daemon alone can see; never fails, each finding is a check. */
export type Doctor = () => Promise<readonly Check[]>;

export interface DoctorParts {
  readonly driver: TmuxDriver;
  readonly store: SessionStore;
  readonly adapters: readonly AgentAdapter[];
  /** Files that were to describe an agent and do not. */
  readonly problems?: ConfiguredAgents["problems"];
  /** What became of the reports of agents. */
  readonly hookCounts?: () => HookCounts;
  /** Sessions whose agents were told to report and are not heard. */
  readonly silentAgents?: () => Promise<readonly Pick<SessionRecord, "name" | "agent">[]>;
  /** Goes along the whole audit log. */
  readonly audit?: () => Promise<AuditAnswer>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function doctor({ driver, store, adapters, problems = [], hookCounts, silentAgents, audit, env }: DoctorParts): Doctor {
  return async () => [
    ...(await tmuxChecks(driver)),
    await records(store),
    ...(await Promise.all(adapters.map((adapter) => agent(adapter, env)))),
    ...(hookCounts === undefined ? [] : [reports(hookCounts())]),
    ...unheard((await silentAgents?.()) ?? []),
    ...(audit === undefined ? [] : [await auditChain(audit)]),
    ...problems.map(agentFile),
  ];
}

async function records(store: SessionStore): Promise<Check> {
  const name = "records";
  const entries = await store.list({ archived: true });
  const health = store.health();
  if (health.state === "degraded") return { name, status: "fail", message: health.error.message, hint: health.error.hint };
  const [conflict] = health.conflicts ?? [];
  if (conflict !== undefined) {
    const message = `another program overwrote ${health.conflicts?.length} of our changes, that of ${conflict.id} for one`;
    return { name, status: "warn", message, hint: `Both versions are in ${conflict.path}; remove the file when it is settled.` };
  }
  const problems = entries.filter((entry) => entry.kind !== "session");
  if (problems.length === 0) return { name, status: "ok", message: `${entries.length} readable`, hint: null };
  const reasons = problems.slice(0, 3).map((problem) => `${problem.id}: ${problem.reason}`);
  return {
    name,
    status: "warn",
    message: `${problems.length} of ${entries.length} cannot be used (${reasons.join("; ")})`,
    hint: "Their files are kept as they are.",
  };
}

async function agent(adapter: AgentAdapter, env: DoctorParts["env"]): Promise<Check> {
  const name = `agent ${adapter.id}`;
  const found = await adapter.detect(env);
  if (found.installed) {
    const message = [found.path ?? "any program", found.version ?? ""].join(" ").trim();
    const trustedBy = adapter.hooks?.trustedBy ?? found.version;
    if (found.version === trustedBy) return { name, status: "ok", message, hint: null };
    return { name, status: "warn", message: `${message}, which may not trust our hooks as ${trustedBy} does`, hint: UNTRUSTED };
  }
  return { name, status: "warn", message: "not installed", hint: found.hint };
}

const UNTRUSTED = "Where it asks to review hooks, attach and trust them; without them its screen alone is believed, a second later.";

function unheard(silent: readonly Pick<SessionRecord, "name" | "agent">[]): readonly Check[] {
  if (silent.length === 0) return [];
  const names = silent.map(({ name, agent }) => `${name} (${agent})`).join(", ");
  return [{ name: "agent hooks", status: "warn", message: `no event was heard of a turn in ${names}`, hint: UNTRUSTED }];
}

/** Reports of a session that does not run, or of another conversation, are usual; those that nobody may make are not. */
function reports({ taken, refused, last_refused_at }: HookCounts): Check {
  const { unknown_session: unknown = 0, wrong_token: wrong = 0, ...ignored } = refused;
  const parts = [
    `${taken} taken`,
    ...Object.entries(ignored).map(([why, count]) => `${count} without effect (${why.replaceAll("_", " ")})`),
    ...(unknown + wrong === 0
      ? []
      : [`${unknown + wrong} refused (${unknown} of unknown sessions, ${wrong} with a wrong token), last at ${last_refused_at}`]),
  ];
  const hint = "Something reports with the token of another launch or home; its sessions are believed by their screens.";
  return {
    name: "agent reports",
    status: unknown + wrong === 0 ? "ok" : "warn",
    message: parts.join(", "),
    hint: unknown + wrong === 0 ? null : hint,
  };
}

/** A line that the power cut off is told, and no fault of the chain. */
async function auditChain(audit: () => Promise<AuditAnswer>): Promise<Check> {
  const name = "audit log";
  const checked = await audit().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  if (typeof checked === "string") return { name, status: "fail", message: `it cannot be read: ${checked}`, hint: null };
  const { findings } = checked;
  const [first] = findings.filter(({ kind }) => kind === "damaged");
  if (first === undefined) return { name, status: "ok", message: `the chain of ${checked.checked} lines holds`, hint: null };
  const message = `${first.file}:${first.line}: ${first.what}`;
  return { name, status: "fail", message, hint: "Somebody changed it, or the disk did; `tmpm daemon audit` tells every place." };
}

function agentFile({ path, error }: ConfiguredAgents["problems"][number]): Check {
  return { name: "agent file", status: "fail", message: `${path}: ${error.message}`, hint: "Set the file right, then restart the daemon." };
}
