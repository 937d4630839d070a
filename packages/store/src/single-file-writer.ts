import { join } from "node:path";
import { isTmpmError, keyedQueue } from "@tmpm/core";
import { makeFolder } from "./durable/durable-folder.js";
import { withRecordLock } from "./locks/record-lock.js";
import { LOCKS } from "./sessions/directory-writer.js";
import { settleOverwrites } from "./settle-overwrites.js";
import {
  archiveInFile,
  createInFile,
  deleteInFile,
  type FileWriting,
  moveInFile,
  requireFolders,
  updateInFile,
} from "./single-file-operations.js";
import type { SessionStore } from "./store.js";

export type SingleFileWriter = Pick<SessionStore, "create" | "update" | "move" | "archive" | "unarchive" | "delete"> & {
  /** Keeps versions overwritten by other programs, when the file is free. A failure is retried at the next look or write. */
  settleSoon(): void;
  /** Resolves when no write is under way. */
  idle(): Promise<void>;
};

/** Serializes writes, in this process and among all. */
export function singleFileWriter(writing: FileWriting): SingleFileWriter {
  const queue = keyedQueue();
  let settling = false;

  function locked<T>(task: () => Promise<T>): Promise<T> {
    return queue.run(writing.path, async () => {
      await requireFolders(writing);
      const locks = join(writing.copies.path, LOCKS);
      await makeFolder(locks, writing.calls);
      return withRecordLock(join(locks, "file"), { task });
    });
  }

  async function settle(): Promise<void> {
    try {
      await locked(() => settleOverwrites(writing));
    } catch (error) {
      if (!isTmpmError(error)) throw error;
    } finally {
      settling = false;
    }
  }

  return {
    create: (record) => locked(() => createInFile(writing, record)),
    update: (id, change) => locked(() => updateInFile(writing, { id, change })),
    move: (id, project_id) => locked(() => moveInFile(writing, { id, project_id })),
    archive: (id) => locked(() => archiveInFile(writing, { id, archived: true })),
    unarchive: (id) => locked(() => archiveInFile(writing, { id, archived: false })),
    delete: (id) => locked(() => deleteInFile(writing, id)),
    settleSoon() {
      if (settling) return;
      settling = true;
      void settle();
    },
    idle: queue.idle,
  };
}
