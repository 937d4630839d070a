import { type SessionRecord, TmpmError } from "@tmpm/core";

/**
 * Refuses a caller that acts for another client than the session's. An unowned session is open to everyone, and a caller without a client
 * acts for all. @throws SESSION_NOT_OWNED
 */
export function requireOwner(record: Pick<SessionRecord, "id" | "name" | "owner">, caller: string | null | undefined): void {
  if (belongsTo(record.owner, caller ?? null)) return;
  throw new TmpmError("SESSION_NOT_OWNED", `session ${record.name} belongs to ${record.owner}, not to ${caller}`, {
    details: { id: record.id, owner: record.owner },
  });
}

export function belongsTo(owner: string | null, client: string | null): boolean {
  return owner === null || client === null || owner === client;
}
