import { SessionRecord } from "@tmpm/core";
import * as fc from "fast-check";

export const ID = "550e8400-e29b-41d4-a716-446655440000";
export const PANE = { socket: "/run/tmpm/tmux", server_pid: 4242, server_start: 1_700_000_000, pane_id: "%5" };

/** A valid active record with every other field at its default, with `changes` applied. */
export function aRecord(changes: Readonly<Record<string, unknown>> = {}): SessionRecord {
  return SessionRecord.parse({
    id: ID,
    name: "demo",
    tmux_name: "tmpm-demo",
    cwd: "/home/ada/demo",
    state: "active",
    created_at: "2026-01-02T03:04:05Z",
    updated_at: "2026-01-02T03:04:06.500Z",
    agent: "claude",
    ...changes,
  });
}

export const anySlug = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/);
export const anyTimestamp = fc
  .date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => date.toISOString().replace(".000Z", "Z"));
