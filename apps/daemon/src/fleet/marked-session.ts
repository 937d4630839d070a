import type { FleetSession, SessionAnswer } from "@tmpm/api";

export interface Mark {
  readonly node: string | null;
  /** Of each session; null for all. */
  readonly fields: readonly string[] | null;
}

/** A session with its node, whatever it says itself. */
export function marked(session: SessionAnswer, { node, fields }: Mark): FleetSession {
  return withFields({ ...session, node, was: null }, fields);
}

/** Fields on which a list of all machines depends. */
const ALWAYS = ["node", "was"] as const;

export function withFields(session: FleetSession, fields: readonly string[] | null): FleetSession {
  if (fields === null) return session;
  const all: Readonly<Record<string, unknown>> = session;
  // As the contract says, only the requested ones.
  return Object.fromEntries([...fields, ...ALWAYS].map((field) => [field, all[field]])) as FleetSession;
}
