import { SessionRecord } from "@tmpm/core";

/** A valid record whose id, name and creation time follow from `number` (0-59). Its agent is one that trusty-mpm also runs. */
export function sampleRecord(number: number, changes: Partial<SessionRecord> = {}): SessionRecord {
  const two = String(number).padStart(2, "0");
  return SessionRecord.parse({
    id: `${two}${two}${two}${two}-0000-4000-8000-0000000000${two}`,
    name: `session-${two}`,
    tmux_name: `tmpm-session-${two}`,
    cwd: "/tmp",
    state: "active",
    created_at: `2026-01-01T00:00:${two}Z`,
    updated_at: `2026-01-01T00:00:${two}Z`,
    agent: "claude",
    ...changes,
  });
}
