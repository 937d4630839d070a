import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { releaseDeadLocks, removeTemporaries } from "../durable/leftovers.js";
import { nodeWriteCalls, type WriteCalls } from "../durable/write-durably.js";
import type { Entry, ListFilter, SessionStore } from "../store.js";
import { directoryReader } from "./directory-reader.js";
import { directoryWatch } from "./directory-watch.js";
import { directoryWriter, LOCKS } from "./directory-writer.js";
import { findIn, findIssueIn } from "./lookup.js";
import { closed } from "./record-rules.js";

export interface DirectoryStoreOptions {
  /** Contains `<project_id>/<id>.json` and `<project_id>/.archive/<id>.json`. Created by the first write; on a local file system. */
  readonly base: string;
  /** Every write is refused with STORE_READ_ONLY. */
  readonly readOnly?: boolean;
  /** Wall clock in milliseconds, to determine the age of changes. */
  readonly clock?: () => number;
  /** The system calls of a write, to record them or to let one fail. */
  readonly writeCalls?: WriteCalls;
  /** How often everything is checked, regardless of change notifications, in milliseconds; default 30,000. */
  readonly sweepMs?: number;
}

/** One JSON document for each session, shared by any number of processes on one machine. */
export function directoryStore(options: DirectoryStoreOptions): SessionStore {
  const { base, readOnly = false, clock = Date.now, writeCalls = nodeWriteCalls, sweepMs = 30_000 } = options;
  const reader = directoryReader({ base, clock, sweepMs });
  const writer = directoryWriter({ base, reader, calls: writeCalls });
  const watch = directoryWatch({ reader, sweepMs });
  let open = true;
  let tidy = readOnly;

  function requireOpen(): void {
    if (!open) throw closed();
  }

  async function entries(filter?: ListFilter): Promise<readonly Entry[]> {
    requireOpen();
    await reader.read();
    tidyUp();
    return reader.catalog.list(filter);
  }

  async function write<T>(task: () => Promise<T>): Promise<T> {
    requireOpen();
    if (readOnly) throw new TmpmError("STORE_READ_ONLY", `the store at ${base} was opened for reading only`);
    return task();
  }

  /** Once, when the folders are known. */
  function tidyUp(): void {
    if (tidy || reader.health().state === "degraded") return;
    tidy = true;
    for (const folder of reader.folders()) removeTemporaries(folder);
    releaseDeadLocks(join(base, LOCKS));
  }

  return {
    list: entries,
    async get(id) {
      requireOpen();
      return reader.current(id)?.entry ?? null;
    },
    find: async (text, filter) => findIn(await entries(filter), text),
    findByIssue: async (project_id, issue_id) => findIssueIn(await entries({ project_id }), { project_id, issue_id }),
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
    health: reader.health,
    async close() {
      open = false;
      watch.close();
      reader.close();
      await writer.idle();
    },
  };
}
