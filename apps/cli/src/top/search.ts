import type { SessionAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core";
import type { Message } from "./message.js";

const AT_ONCE = 8;

export interface Search {
  readonly query: string;
  readonly sessions: readonly SessionAnswer[];
}

/** Searches every session's screen once, ignoring case. An unavailable screen counts as no match. */
export async function screensWith({ query, sessions }: Search, client: Pick<Client, "capture">): Promise<Message> {
  const lines = new Map<string, string>();
  const wanted = query.trim().toLowerCase();
  const left = [...sessions];
  async function look(): Promise<void> {
    for (let session = left.shift(); session !== undefined; session = left.shift()) {
      const line = (await screenOf(session, client)).findLast((each) => each.toLowerCase().includes(wanted));
      if (line !== undefined) lines.set(session.id, line.trim());
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  return { kind: "found", found: { query: query.trim(), lines } };
}

async function screenOf(session: SessionAnswer, client: Pick<Client, "capture">): Promise<readonly string[]> {
  if (session.state !== "active") return session.last_lines;
  try {
    return (await client.capture({ session: session.id })).lines;
  } catch (error) {
    if (isTmpmError(error)) return [];
    throw error;
  }
}
