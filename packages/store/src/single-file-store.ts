import { dirname } from "node:path";
import { errnoOf, TmpmError } from "@tmpm/core";
import { type CopyFolder, copyFolder } from "./durable/copy-folder.js";
import { removeTemporaries } from "./durable/leftovers.js";
import { nodeWriteCalls, type WriteCalls } from "./durable/write-durably.js";
import { itemCodec } from "./session-item.js";
import { directoryWatch } from "./sessions/directory-watch.js";
import { findIn, findIssueIn } from "./sessions/lookup.js";
import { closed } from "./sessions/record-rules.js";
import { suspicious } from "./settle-overwrites.js";
import { singleFileReader } from "./single-file-reader.js";
import { singleFileWriter } from "./single-file-writer.js";
import type { Entry, Health, ListFilter, SessionStore } from "./store.js";

export interface SingleFileStoreOptions {
  /**
   * The sessions file, under trusty-mpm's name: `…/sessions.json`. Created by the first write; the last written versions are in
   * `<path>.tmpm/`.
   */
  readonly path: string;
  /** The oldest release of trusty-mpm that must be able to read the file. Default `0.8.0`, which does not know the state `deleted`. */
  readonly release?: "0.8.0" | "later";
  /** The socket of the tmux server that trusty-mpm's pane ids belong to. */
  readonly socket?: string;
  /** Every write is refused with STORE_READ_ONLY. */
  readonly readOnly?: boolean;
  /** Wall clock in milliseconds, to determine the age of changes. */
  readonly clock?: () => number;
  /** The system calls of a write, to record them or to let one fail. */
  readonly writeCalls?: WriteCalls;
  /** Interval of a watch's looks without a change notification, in milliseconds. */
  readonly sweepMs?: number;
}

/**
 * All sessions in one file shared with trusty-mpm. An agent or a state that it cannot read is rejected with INVALID_ARGUMENT. When it
 * overwrites a change of ours, both versions are kept, and `watch` and `health` report it.
 */
export function singleFileStore(options: SingleFileStoreOptions): SessionStore {
  const { path, readOnly = false, clock = Date.now, writeCalls = nodeWriteCalls, sweepMs = 30_000 } = options;
  const { release = "0.8.0", socket } = options;
  const now = () => new Date(clock()).toISOString();
  const codec = itemCodec({ path, now, release, ...(socket === undefined ? {} : { socket }) });
  const copies = copyFolder(`${path}.tmpm`, writeCalls);
  const reader = singleFileReader({ path, codec, copies, clock });
  const writer = singleFileWriter({ path, reader, codec, copies, calls: writeCalls });
  const watch = directoryWatch({ reader: { ...reader, tryReload: () => looked(reader.tryReload) }, sweepMs });
  let open = true;
  let tidy = readOnly;

  function requireOpen(): void {
    if (!open) throw closed();
  }

  function looked(reload: () => void): void {
    reload();
    if (readOnly || !open || reader.health().state === "degraded") return;
    if (!tidy) for (const folder of [dirname(path), copies.path]) removeTemporaries(folder);
    tidy = true;
    if (suspicious(reader)) writer.settleSoon();
  }

  function entries(filter?: ListFilter): readonly Entry[] {
    requireOpen();
    looked(reader.reload);
    return reader.catalog.list(filter);
  }

  async function write<T>(task: () => Promise<T>): Promise<T> {
    requireOpen();
    if (readOnly) throw new TmpmError("STORE_READ_ONLY", `the store at ${path} was opened for reading only`);
    return task();
  }

  return {
    list: async (filter) => entries(filter),
    async get(id) {
      requireOpen();
      looked(reader.reload);
      return reader.catalog.byId(id)[0]?.entry ?? null;
    },
    find: async (text, filter) => findIn(entries(filter), text),
    findByIssue: async (project_id, issue_id) => findIssueIn(entries({ project_id }), { project_id, issue_id }),
    create: (record) => write(() => writer.create(record)),
    update: (id, change) => write(() => writer.update(id, change)),
    move: (id, project_id) => write(() => writer.move(id, project_id)),
    archive: (id) => write(() => writer.archive(id)),
    unarchive: (id) => write(() => writer.unarchive(id)),
    delete: (id) => write(() => writer.delete(id)),
    watch(listener) {
      requireOpen();
      return watch.subscribe(listener);
    },
    health: () => withConflicts(reader.health(), copies),
    async close() {
      open = false;
      watch.close();
      await writer.idle();
    },
  };
}

/** A folder that cannot be listed hides conflicts from this result only; they are kept. */
function withConflicts(health: Health, copies: CopyFolder): Health {
  if (health.state === "degraded") return health;
  try {
    const conflicts = copies.conflicts();
    return conflicts.length === 0 ? health : { ...health, conflicts };
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return health;
  }
}
