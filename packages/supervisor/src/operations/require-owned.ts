import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { requireOwner } from "../owners/require-owner.js";

export interface OwnedInput {
  readonly session: string;
  /** The client that a caller speaks for; null for one that speaks for all. */
  readonly client: string | null;
}

/** Refuses a client that would change what another client queued or runs. Asks nothing but the record. @throws SESSION_NOT_OWNED, and what `findSession` throws */
export async function requireOwned(ctx: Context, { session, client }: OwnedInput): Promise<void> {
  if (client === null) return;
  const record = await findSession(ctx, session);
  // Of a record that was never read it is unknown the owner.
  requireOwner(record.recalled === true ? { ...record, owner: "an owner whose record cannot be read" } : record, client);
}
