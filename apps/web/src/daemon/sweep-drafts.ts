import type { SessionAnswer } from "@tmpm/api";
import { hasCode, isTmpmError } from "@tmpm/core/errors";

export interface StoredDraft {
  readonly session: string;
  /** When it was last changed, in ms since 1970. */
  readonly at: number;
}

export interface SweepDraftsOptions {
  readonly drafts: readonly StoredDraft[];
  readonly isListed: (session: string) => boolean;
  readonly show: (session: string) => Promise<Pick<SessionAnswer, "state">>;
  readonly forget: (session: string) => void;
  /** Time in ms. */
  readonly now: number;
}

/** An unknown session may belong to another daemon that was opened at this address before. */
const UNKNOWN_MS = 30 * 86_400_000;

/** Deletes the drafts of removed sessions. Archived sessions are not listed, and keep theirs. */
export async function sweepDrafts({ drafts, isListed, show, forget, now }: SweepDraftsOptions): Promise<void> {
  for (const { session, at } of drafts) {
    if (isListed(session)) continue;
    try {
      const { state } = await show(session);
      if (state === "decommissioned" || state === "deleted") forget(session);
    } catch (error) {
      if (!isTmpmError(error)) throw error;
      if (hasCode(error, "SESSION_NOT_FOUND") && now - at > UNKNOWN_MS) forget(session);
    }
  }
}
