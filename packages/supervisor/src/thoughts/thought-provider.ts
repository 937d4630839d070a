import type { ThoughtSnapshot } from "@tmpm/core";

export interface ThoughtUpdate {
  /** A session's id, or the key of a pane that no session owns yet. */
  readonly key: string;
  readonly snapshot: ThoughtSnapshot;
}

/** Where thoughts go. Snapshots of one key are ordered by their stream and number; one that comes late is refused and false is answered. */
export type ThoughtSink = (update: ThoughtUpdate) => boolean;

/** Something that knows what sessions are about: their agents' own messages, or a program that reads their screens. */
export interface ThoughtProvider {
  /** Emits thoughts until it is closed. */
  start(sink: ThoughtSink): { close(): Promise<void> };
}
