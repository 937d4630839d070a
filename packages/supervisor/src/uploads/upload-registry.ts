import type { UploadList } from "@tmpm/core";
import { onceDone, runningTasks } from "@tmpm/core";
import type { DocumentStore } from "@tmpm/store";

export type RegisteredUpload = UploadList["uploads"][number];

/** The lists of sessions' files. A missing file keeps its entry, so that the same bytes get the same name again. */
export interface UploadRegistry {
  of(session: string): Promise<readonly RegisteredUpload[]>;
  /** Every session with uploads. */
  sessions(): Promise<readonly string[]>;
  /** The first entry of a digest is kept. Returns that one. */
  add(session: string, upload: RegisteredUpload): Promise<RegisteredUpload>;
  strike(session: string, ref: string): Promise<void>;
  forget(session: string): Promise<void>;
  /** Runs while an upload of the session is under way. */
  during<T>(session: string, task: () => Promise<T>): Promise<T>;
  underWay(session: string): boolean;
}

export interface UploadRegistryOptions {
  readonly documents: DocumentStore<UploadList>;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

export function uploadRegistry({ documents, report }: UploadRegistryOptions): UploadRegistry {
  const known = new Map<string, UploadList>();
  const busy = runningTasks();
  const loaded = onceDone(async () => {
    const { documents: kept, damaged } = await documents.all();
    for (const [session, list] of kept) if (!known.has(session)) known.set(session, list);
    for (const { path, reason } of damaged) report({ doing: `reading the uploads in ${path}`, error: new Error(reason) });
  });

  /** In memory at once, so that two concurrent ones see each other, and returned only when it is on the disk. */
  async function write(session: string, uploads: readonly RegisteredUpload[]): Promise<void> {
    const before = known.get(session);
    // A newer version may have fields of its own.
    const list = { ...before, uploads: [...uploads] };
    known.set(session, list);
    try {
      await documents.put(session, list);
    } catch (error) {
      if (before === undefined) known.delete(session);
      else known.set(session, before);
      throw error;
    }
  }

  return {
    async of(session) {
      await loaded();
      return known.get(session)?.uploads ?? [];
    },
    async sessions() {
      await loaded();
      return [...known.keys()];
    },
    async add(session, upload) {
      await loaded();
      const all = known.get(session)?.uploads ?? [];
      const first = all.find(({ ref_id }) => ref_id === upload.ref_id);
      if (first !== undefined) return first;
      await write(session, [...all, upload]);
      return upload;
    },
    async strike(session, ref) {
      await loaded();
      const all = known.get(session)?.uploads ?? [];
      const left = all.filter(({ ref_id }) => ref_id !== ref);
      if (left.length < all.length) await write(session, left);
    },
    async forget(session) {
      await loaded();
      known.delete(session);
      await documents.delete(session);
    },
    during: busy.run,
    underWay: busy.isRunning,
  };
}
