import { type KeptDecisions, msFromTimestamp, timestampFromMs } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import { type DecisionState, NOTHING_ASKED } from "../activity/asked.js";
import { latestWriter } from "../thoughts/latest-writer.js";

/**
 * Sessions' decisions, stored for the next daemon. Written in the background; a decision keeps its id, and an answered one stays answered.
 */
export interface DecisionRegistry {
  keep(session: string, asked: DecisionState): void;
  /** The last daemon's decisions, by session. */
  load(): Promise<ReadonlyMap<string, DecisionState>>;
  /** Resolves when all are on the disk, or writing has failed. */
  drained(): Promise<void>;
}

export interface DecisionRegistryOptions {
  readonly documents: DocumentStore<KeptDecisions>;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

export function decisionRegistry({ documents, report }: DecisionRegistryOptions): DecisionRegistry {
  /** As loaded, for the fields of a newer version. */
  const before = new Map<string, KeptDecisions>();
  const writer = latestWriter<DecisionState>({
    write(session, asked) {
      if (asked !== NOTHING_ASKED) return documents.put(session, { ...before.get(session), ...documentOf(asked) });
      before.delete(session);
      return documents.delete(session);
    },
    failed: (error) => report({ doing: "saving a pending decision", error }),
  });
  return {
    keep: writer.put,
    async load() {
      const { documents: kept, damaged } = await documents.all();
      for (const [session, document] of kept) before.set(session, document);
      for (const { path, reason } of damaged) report({ doing: `reading the decision at ${path}`, error: new Error(reason) });
      return new Map([...kept].map(([session, document]) => [session, askedOf(document)] as const));
    },
    drained: writer.drained,
  };
}

function documentOf({ open, heardMs, answering, closed }: DecisionState): KeptDecisions {
  return {
    schema_version: 1,
    open,
    heard_at: heardMs === null ? null : timestampFromMs(heardMs),
    answering,
    closed: closed.map(({ atMs, ...one }) => ({ ...one, at: timestampFromMs(atMs) })),
  };
}

/** A decision that was reported but never seen cannot be distinguished from another one now. */
function askedOf({ open, heard_at, answering, closed }: KeptDecisions): DecisionState {
  const past = closed.map(({ at, ...one }) => ({ ...one, atMs: msFromTimestamp(at) }));
  if (open === null || open.screen_digest === null) return { ...NOTHING_ASKED, closed: past };
  return { open, heardMs: heard_at === null ? null : msFromTimestamp(heard_at), answering, closed: past };
}
