import type { ThoughtSnapshot } from "@tmpm/core";

export interface ThoughtUpdate {
  /** A session's id, or the key of a pane without a session yet. */
  readonly key: string;
  readonly snapshot: ThoughtSnapshot;
}

/** Receives thoughts. Snapshots of one key are ordered by their stream and number; a late one is rejected with false. */
export type ThoughtSink = (update: ThoughtUpdate) => boolean;

/** A source of thoughts: the agents' own messages, or a program that reads their screens. */
export interface ThoughtProvider {
  /** Emits thoughts until it is closed. */
  start(sink: ThoughtSink): { close(): Promise<void> };
}
