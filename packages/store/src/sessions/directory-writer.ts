import { join } from "node:path";
import { isTmpmError, keyedQueue, SessionId } from "@tmpm/core";
import { makeFolder, makeFolders } from "../durable/durable-folder.js";
import { withRecordLock } from "../locks/record-lock.js";
import type { SessionStore } from "../store.js";
import {
  archiveRecord,
  createRecord,
  deleteRecord,
  exists,
  moveToProject,
  requireHealth,
  unarchiveRecord,
  updateRecord,
  type Writing,
} from "./directory-operations.js";

export type DirectoryWriter = Pick<SessionStore, "create" | "update" | "move" | "archive" | "unarchive" | "delete"> & {
  /** Resolves when no write is under way. */
  idle(): Promise<void>;
};

/** Beside the project folders, so that taking a lock does not look like a change in one. */
export const LOCKS = ".locks";

/** Serializes writes per record, in this process and among all. */
export function directoryWriter(writing: Writing): DirectoryWriter {
  const queue = keyedQueue();
  let ready = false;

  /** Text that is not an id of ours never becomes a path: only the catalog maps it. */
  function locked<T>(id: SessionId, task: () => Promise<T>): Promise<T> {
    return queue.run(id, async () => {
      const path = SessionId.safeParse(id).success ? join(writing.base, LOCKS, id) : null;
      if (!ready || path === null) await prepare();
      if (path === null) return task();
      try {
        return await withRecordLock(path, { task });
      } catch (error) {
        if (!isMissing(error, path)) throw error;
        await prepare();
        return withRecordLock(path, { task });
      }
    });
  }

  /** Once is enough, until a lock finds no folder. */
  async function prepare(): Promise<void> {
    ready = false;
    await requireFolders(writing);
    ready = true;
  }

  return {
    create: (record) => locked(record.id, () => createRecord(writing, record)),
    update: (id, change) => locked(id, () => updateRecord(writing, { id, change })),
    move: (id, project_id) => locked(id, () => moveToProject(writing, { id, project_id })),
    archive: (id) => locked(id, () => archiveRecord(writing, id)),
    unarchive: (id) => locked(id, () => unarchiveRecord(writing, id)),
    delete: (id) => locked(id, () => deleteRecord(writing, id)),
    idle: queue.idle,
  };
}

/** Whether the folder of a lock was missing: nothing was done under it. */
function isMissing(error: unknown, path: string): boolean {
  return isTmpmError(error) && error.details.errno === "ENOENT" && error.details.path === path;
}

/** A missing base is created only after a reload found that it never existed: an empty one in its place would read as "no sessions". */
async function requireFolders({ base, reader, calls }: Writing): Promise<void> {
  if (!exists(base)) reader.reload();
  requireHealth(reader);
  await makeFolders(base, calls);
  await makeFolder(join(base, LOCKS), calls);
}
