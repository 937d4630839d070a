import type { Timer } from "@tmpm/fleet";
import type { KeptSessions } from "./node-record.js";
import type { NodeStores } from "./node-stores.js";

/** The last list of a node's sessions, in memory and on disk. */
export interface KeptList {
  /** Null before the first. */
  last(): KeptSessions | null;
  keep(kept: KeptSessions): void;
  /** Another node answers under the label: its sessions are others. */
  replaced(nodeId: string): Promise<void>;
  /** Writes what waits for it; resolves once it is written. */
  flush(): Promise<void>;
  delete(): Promise<void>;
}

export interface KeptListOptions {
  readonly label: string;
  /** Null before the node's first answer. */
  readonly nodeId: string | null;
  readonly last: KeptSessions | null;
  readonly store: NodeStores["sessions"];
  readonly timer: Timer;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

/** Minimum interval between writes. */
const WRITE_MS = 30_000;

/** The key of a node's list: a label alone may mean another machine later, and two labels the same one. */
export function listKey({ label, nodeId }: { readonly label: string; readonly nodeId: string }): string {
  return `${nodeId} ${label}`;
}

export function keptList({ label, store, timer, report, ...before }: KeptListOptions): KeptList {
  let { nodeId, last } = before;
  /** Ends the wait for the next write; null while nothing waits to be written. */
  let waiting: (() => void) | null = null;
  let writtenAt: number | null = null;
  let isDeleted = false;
  let writing = Promise.resolve();

  function stopWaiting(): void {
    waiting?.();
    waiting = null;
  }

  function write(): void {
    stopWaiting();
    writtenAt = timer.now();
    if (last === null || nodeId === null || isDeleted) return;
    // The store writes in call order, so that the last one ends last.
    writing = store
      .put(listKey({ label, nodeId }), last)
      .catch((error: unknown) => report({ doing: `keep the sessions of node ${label}`, error }));
  }

  async function forget(id: string | null): Promise<void> {
    stopWaiting();
    last = null;
    if (id !== null) await store.delete(listKey({ label, nodeId: id }));
  }

  return {
    last: () => last,
    keep(kept) {
      last = kept;
      if (writtenAt === null || timer.now() - writtenAt >= WRITE_MS) write();
      else waiting ??= timer.after(WRITE_MS - (timer.now() - writtenAt), write);
    },
    async replaced(id) {
      const former = nodeId;
      nodeId = id;
      writtenAt = null;
      await forget(former);
    },
    flush() {
      if (waiting !== null) write();
      return writing;
    },
    async delete() {
      isDeleted = true;
      await forget(nodeId);
    },
  };
}
