import type { Finding } from "@tmpm/api/local";
import type { SessionStore } from "@tmpm/store";

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
