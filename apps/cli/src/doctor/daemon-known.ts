import type { HealthAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isNotRunning } from "@tmpm/api/local";
import { ENDED_STATES, isTmpmError, type TmpmError } from "@tmpm/core";

/** The daemon's state, determined before any other check. `live` queries the ids of sessions whose processes may run; null if it does not answer. */
export type DaemonKnown =
  | {
      readonly kind: "running";
      readonly pid: number;
      readonly health: HealthAnswer;
      readonly live: () => Promise<ReadonlySet<string> | null>;
    }
  | { readonly kind: "absent" }
  | { readonly kind: "silent"; readonly error: TmpmError };

const ANSWER_MS = 3_000;

export async function daemonKnown(observer: Client): Promise<DaemonKnown> {
  try {
    const health = await observer.health({}, { timeoutMs: ANSWER_MS });
    return { kind: "running", pid: health.pid, health, live: () => liveSessions(observer) };
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return isNotRunning(error) ? { kind: "absent" } : { kind: "silent", error };
  }
}

async function liveSessions(observer: Client): Promise<ReadonlySet<string> | null> {
  try {
    const { sessions } = await observer.list({}, { timeoutMs: ANSWER_MS });
    return new Set(sessions.filter(({ state }) => !ENDED_STATES.includes(state)).map(({ id }) => id));
  } catch (error) {
    // A daemon of another version, or a failing one: its own check reports that.
    if (!isTmpmError(error)) throw error;
    return null;
  }
}
