import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { requireOwner } from "../owners/require-owner.js";

export interface OwnedInput {
  readonly session: string;
  /** The client that a caller acts for; null for all clients. */
  readonly client: string | null;
}

/**
 * Refuses a client that would change another client's prompts or sessions. Reads only the record. @throws SESSION_NOT_OWNED, and the errors
 * of `findSession`
 */
export async function requireOwned(ctx: Context, { session, client }: OwnedInput): Promise<void> {
  if (client === null) return;
  const record = await findSession(ctx, session);
  // The owner of a record that was never read is unknown.
  requireOwner(record.recalled === true ? { ...record, owner: "an owner whose record cannot be read" } : record, client);
}
