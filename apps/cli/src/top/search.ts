import type { FleetSession } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core";
import { keyOf } from "../render/key-of.js";
import type { Message } from "./message.js";

const AT_ONCE = 8;
/** Time limit of a machine, so that it does not delay the results of the others. */
const ANSWER_MS = 5_000;

export interface Search {
  readonly query: string;
  readonly sessions: readonly FleetSession[];
}

export interface SearchOptions {
  readonly at: (node: string | null) => Pick<Client, "capture">;
  readonly signal: AbortSignal;
}

/** Searches every session's screen once, ignoring case. An unavailable screen counts as no match. */
export async function screensWith({ query, sessions }: Search, { at, signal }: SearchOptions): Promise<Message> {
  const lines = new Map<string, string>();
  const wanted = query.trim().toLowerCase();
  const left = [...sessions];
  async function look(): Promise<void> {
    for (let session = left.shift(); session !== undefined; session = left.shift()) {
      const line = (await screenOf(session, { at, signal })).findLast((each) => each.toLowerCase().includes(wanted));
      if (line !== undefined) lines.set(keyOf(session), line.trim());
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  return { kind: "found", found: { query: query.trim(), lines } };
}

async function screenOf(session: FleetSession, { at, signal }: SearchOptions): Promise<readonly string[]> {
  if (session.state !== "active" || session.was !== null) return session.last_lines;
  try {
    return (await at(session.node).capture({ session: session.id }, { timeoutMs: ANSWER_MS, signal })).lines;
  } catch (error) {
    if (isTmpmError(error) || signal.aborted) return [];
    throw error;
  }
}
