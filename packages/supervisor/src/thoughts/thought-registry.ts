import { acceptsThought, carryThought, type EventBody, type PaneIdentity, type ThoughtSnapshot, type Timestamp } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";
import { terminalKey } from "../discovery/terminals.js";
import { type Backlog, latestWriter } from "./latest-writer.js";
import type { ThoughtUpdate } from "./thought-provider.js";

/** The last thought of every session. In memory; written in the background, and never lost to a slow disk. */
export interface ThoughtRegistry {
  /** Loads an earlier run's thoughts; newer ones stay. */
  load(): Promise<void>;
  /** By the session's id, else by its pane; never a guess. */
  get(session: { readonly id: string; readonly pane: PaneIdentity | null }): ThoughtSnapshot | null;
  /** False for a late snapshot. */
  put(update: ThoughtUpdate): boolean;
  /** Drops a session permanently. */
  forget(id: string): Promise<void>;
  backlog(): Backlog;
  drained(): Promise<void>;
}

export interface ThoughtRegistryOptions {
  readonly documents: DocumentStore<ThoughtSnapshot>;
  readonly now: () => Timestamp;
  readonly emit: (event: EventBody) => void;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

export function thoughtRegistry({ documents, now, emit, report }: ThoughtRegistryOptions): ThoughtRegistry {
  const thoughts = new Map<string, ThoughtSnapshot>();
  const writer = latestWriter<ThoughtSnapshot>({
    write: (key, snapshot) => documents.put(key, snapshot),
    failed: (error) => report({ doing: "saving a thought", error }),
  });

  return {
    async load() {
      const { documents: kept, damaged } = await documents.all();
      for (const [key, snapshot] of kept) if (!thoughts.has(key)) thoughts.set(key, snapshot);
      for (const { path, reason } of damaged) report({ doing: `reading the thought at ${path}`, error: new Error(reason) });
    },
    get: ({ id, pane }) => thoughts.get(id) ?? (pane === null ? undefined : thoughts.get(paneKey(pane))) ?? null,
    put({ key, snapshot }) {
      const previous = thoughts.get(key) ?? null;
      if (!acceptsThought(previous, snapshot)) return false;
      const kept = carryThought(previous, snapshot);
      thoughts.set(key, kept);
      writer.put(key, kept);
      if (!isPaneKey(key)) emit(thoughtUpdated(key, { snapshot: kept, at: now(), degraded: writer.backlog().degraded }));
      return true;
    },
    async forget(id) {
      thoughts.delete(id);
      await writer.drained();
      await documents.delete(id);
    },
    backlog: writer.backlog,
    drained: writer.drained,
  };
}

const PANE_KEY = "tmux:";

/** The key of a pane's thoughts. A pane id alone would be reused after a restart of the server. */
export function paneKey(pane: PaneIdentity): string {
  return `${PANE_KEY}${terminalKey(pane)}`;
}

function isPaneKey(key: string): boolean {
  return key.startsWith(PANE_KEY);
}

function thoughtUpdated(id: string, update: { snapshot: ThoughtSnapshot; at: Timestamp; degraded: boolean }): EventBody {
  const { thought, thought_state, rest_state, stream_instance_id, emission_seq } = update.snapshot;
  const { thought_source, token_count, context_limit, objective_changed_at } = update.snapshot;
  return {
    type: "thought_updated",
    at: update.at,
    session_id: id,
    thought,
    thought_state,
    rest_state,
    stream_instance_id,
    emission_seq,
    ...{ thought_source, token_count, context_limit, objective_changed_at },
    ...(update.degraded ? { persistence_degraded: true } : {}),
  };
}
