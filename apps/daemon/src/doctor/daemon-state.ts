import type { AuditAnswer } from "@tmpm/api";
import type { Finding } from "@tmpm/api/local";
import type { SessionStore } from "@tmpm/store";
import type { LiveConfig } from "../config/live-config.js";
import type { ChannelState } from "../notify/outbox.js";

/** Whether the daemon uses the current configuration file. The file itself is checked elsewhere. */
export function configFollowed({ fault, waiting }: Pick<LiveConfig, "fault" | "waiting">): readonly Finding[] {
  const name = "config in use";
  if (fault() !== null)
    return [
      {
        name,
        status: "warn",
        message: "the daemon keeps the earlier settings",
        hint: "It applies the file once it is fixed.",
      },
    ];
  const keys = waiting();
  if (keys.length === 0) return [{ name, status: "ok", message: "same as the file", hint: null }];
  return [
    {
      name,
      status: "warn",
      message: `changed since the daemon started: ${keys.join(", ")}`,
      hint: "Apply it with `tmpm daemon restart`; sessions keep running.",
    },
  ];
}

/** Whether every record is readable and unmodified. */
export async function recordsReadable(store: SessionStore): Promise<readonly Finding[]> {
  const name = "records";
  const entries = await store.list({ archived: true });
  const health = store.health();
  if (health.state === "degraded") return [{ name, status: "fail", message: health.error.message, hint: health.error.hint }];
  const [conflict] = health.conflicts ?? [];
  if (conflict !== undefined) {
    const message = `another program overwrote ${health.conflicts?.length} of tmpm's changes, such as that of ${conflict.id}`;
    return [{ name, status: "warn", message, hint: `Both versions are in ${conflict.path}; remove the file once resolved.` }];
  }
  const problems = entries.filter((entry) => entry.kind !== "session");
  if (problems.length === 0) return [{ name, status: "ok", message: `${entries.length} readable`, hint: null }];
  const reasons = problems.slice(0, 3).map((problem) => `${problem.id}: ${problem.reason}`);
  const message = `${problems.length} of ${entries.length} cannot be used (${reasons.join("; ")})`;
  return [{ name, status: "warn", message, hint: "Their files are left unchanged." }];
}

/** Each configured notification channel, and why its last notice did not arrive. */
export function noticesArrive(states: readonly ChannelState[]): readonly Finding[] {
  return states.flatMap(({ channel, target, sent, failed, dropped, failure }): readonly Finding[] => {
    if (target === null) return [];
    const name = `notify ${channel}`;
    if (failure !== null)
      return [{ name, status: "warn", message: failure.message, hint: failure.hint ?? "Try it with `tmpm notify test`." }];
    const lost = failed + dropped === 0 ? "" : `, ${failed + dropped} not delivered`;
    return [{ name, status: "ok", message: `${target}: ${sent} sent${lost}`, hint: null }];
  });
}

/** Whether the chain is intact. An incomplete line after a power failure is reported, but is not an error. */
export async function auditChain(audit: () => Promise<AuditAnswer>): Promise<readonly Finding[]> {
  const name = "audit log";
  const checked = await audit().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  if (typeof checked === "string") return [{ name, status: "fail", message: `it cannot be read: ${checked}`, hint: null }];
  const [first] = checked.findings.filter(({ kind }) => kind === "damaged");
  if (first === undefined) return [{ name, status: "ok", message: `the chain of ${checked.checked} lines is intact`, hint: null }];
  const message = `${first.file}:${first.line}: ${first.what}`;
  return [{ name, status: "fail", message, hint: "It was edited, or the disk is faulty; `tmpm daemon audit` shows every position." }];
}
