import { join } from "node:path";
import { isTmpmError, keyedQueue, MAX_TEXT_BYTES, type SendEntry, TmpmError } from "@tmpm/core";
import { makeFolders } from "../durable/durable-folder.js";
import { readBounded } from "../durable/read-bounded.js";
import { removeEmptyFolder, removeFile } from "../durable/remove-file.js";
import { nodeWriteCalls, type WriteCalls, writeDurably } from "../durable/write-durably.js";
import { heldSends } from "./held-sends.js";
import { StoredSend } from "./send-files.js";
import { byAge, type SendIndex, type SendLimits, sendIndex } from "./send-index.js";
import type { SendJournal } from "./send-journal.js";

export interface SendFolderOptions extends SendLimits {
  /** Contains `<session id>/<send id>.json` and, until the send is done, `<send id>.text`; files have mode 0600. */
  readonly dir: string;
  readonly calls?: WriteCalls;
}

interface Folder {
  readonly dir: string;
  readonly calls: WriteCalls;
  readonly index: SendIndex;
  /** Outcomes that could not be written, by the send's id. */
  readonly unwritten: Map<string, SendEntry>;
}

/** A send journal on disk: one document for each send, its text beside it. Unreadable files, and those of a newer tmpm, are kept. */
export function sendFolder({ dir, calls = nodeWriteCalls, ...limits }: SendFolderOptions): SendJournal {
  const folder: Folder = { dir, calls, index: sendIndex(limits), unwritten: new Map() };
  const inOrder = keyedQueue();
  const expire = (session: string) => {
    for (const old of folder.index.expired(session)) drop(folder, old);
  };
  const isNeeded = (session: string) => [...folder.unwritten.values()].some(({ session_id }) => session_id === session);
  const held = heldSends({ dir, index: folder.index, isNeeded, expire });

  async function flush(): Promise<void> {
    for (const entry of [...folder.unwritten.values()]) {
      try {
        await inOrder.run(entry.id, () => writeAgain(folder, entry));
      } catch (error) {
        if (!isTmpmError(error)) throw error;
      }
    }
  }

  return {
    accept: (entry, text) =>
      held.during(entry.session_id, async () => {
        held.of(entry.session_id).add(entry);
        try {
          await inOrder.run(entry.id, () => keep(folder, { entry, text }));
        } catch (error) {
          // It may already be on the disk, but no caller has seen it accepted.
          dropIfPossible(folder, entry);
          throw error;
        }
        expire(entry.session_id);
      }),
    note: (entry) =>
      held.during(entry.session_id, async () => {
        const index = held.of(entry.session_id);
        const before = index.of(entry.session_id).find(({ id }) => id === entry.id);
        index.replace(entry);
        try {
          await inOrder.run(entry.id, () => writeEntry(folder, entry));
        } catch (error) {
          if (entry.step === "done") folder.unwritten.set(entry.id, entry);
          else if (before !== undefined) index.replace(before);
          throw error;
        }
        folder.unwritten.delete(entry.id);
        if (entry.step === "done") remove(folder, textPath(folder, entry));
      }),
    list: async (session) => held.of(session).of(session).toReversed(),
    pending: async () =>
      held
        .pending()
        .all()
        .filter(({ step }) => step !== "done")
        .sort(byAge),
    async text(entry) {
      const content = readBounded(textPath(folder, entry), { maxBytes: MAX_TEXT_BYTES });
      if (content.kind === "absent") return null;
      if (content.kind === "text") return content.text;
      throw new TmpmError("STORE_DEGRADED", `the text of send ${entry.id} cannot be read: ${content.reason}`);
    },
    async forget(session) {
      for (const entry of held.of(session).of(session)) drop(folder, entry);
      held.forget(session);
      removeEmptyFolder(join(dir, session));
    },
    flush,
    async close() {
      await inOrder.idle();
      await flush();
    },
  };
}

/** The text first: a document without its text would be a send that cannot be delivered. */
async function keep(folder: Folder, { entry, text }: { readonly entry: SendEntry; readonly text: string }): Promise<void> {
  await makeFolders(join(folder.dir, entry.session_id), folder.calls);
  await writeDurably(textPath(folder, entry), { calls: folder.calls, text });
  await writeEntry(folder, entry);
}

async function writeEntry(folder: Folder, entry: SendEntry): Promise<void> {
  const text = `${JSON.stringify(StoredSend.parse(entry))}\n`;
  await writeDurably(documentPath(folder, entry), { calls: folder.calls, text });
}

/** Skips an entry that was replaced or dropped meanwhile. */
async function writeAgain(folder: Folder, entry: SendEntry): Promise<void> {
  if (folder.unwritten.get(entry.id) !== entry) return;
  await writeEntry(folder, entry);
  folder.unwritten.delete(entry.id);
  remove(folder, textPath(folder, entry));
}

function drop(folder: Folder, entry: SendEntry): void {
  folder.index.remove(entry);
  folder.unwritten.delete(entry.id);
  remove(folder, documentPath(folder, entry));
  remove(folder, textPath(folder, entry));
}

/** For a caller that reports an error of its own. */
function dropIfPossible(folder: Folder, entry: SendEntry): void {
  try {
    drop(folder, entry);
  } catch (error) {
    if (!isTmpmError(error)) throw error;
  }
}

function remove({ calls }: Folder, path: string): void {
  removeFile(path, { calls, doing: "cannot remove the send" });
}

function documentPath({ dir }: Folder, { session_id, id }: Pick<SendEntry, "session_id" | "id">): string {
  return join(dir, session_id, `${id}.json`);
}

function textPath({ dir }: Folder, { session_id, id }: Pick<SendEntry, "session_id" | "id">): string {
  return join(dir, session_id, `${id}.text`);
}
