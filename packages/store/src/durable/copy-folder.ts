import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hasErrno, SessionId } from "@tmpm/core";
import type { Conflict } from "../store.js";
import { decodeCopy, encodeCopy, type WrittenCopy } from "../written-copy.js";
import { makeFolder, removeDurably } from "./durable-folder.js";
import { statOf } from "./file-identity.js";
import { MAX_DOCUMENT_BYTES, readBounded } from "./read-bounded.js";
import { type PreparedFile, prepareDurably, type WriteCalls, writeDurably } from "./write-durably.js";

/** Both versions of an overwritten record, as in the sessions file; `theirs` is null when the record was gone from it. */
export interface Overwrite {
  readonly id: string;
  readonly ours: string;
  readonly theirs: string | null;
}

/** The folder beside a sessions file: `<id>.json` is our last version of a record, `conflicts/<id>.<hash>.json` an overwritten one. */
export interface CopyFolder {
  readonly path: string;
  /** The ids with a copy; none without the folder. */
  ids(): ReadonlySet<string>;
  /** Null without a readable one. */
  read(id: string): WrittenCopy | null;
  write(id: string, copy: Pick<WrittenCopy, "changed" | "text">): Promise<void>;
  /** Like `write`, up to the last step. */
  prepare(id: string, copy: Pick<WrittenCopy, "changed" | "text">): Promise<PreparedFile>;
  /** Idempotent. */
  remove(id: string): Promise<void>;
  keepConflict(overwrite: Overwrite): Promise<Conflict>;
  /** @throws the errno of the file system */
  conflicts(): readonly Conflict[];
}

const SUFFIX = ".json";

/** Maximum number of conflicts kept per record, the newest. */
const CONFLICTS_KEPT = 100;

export function copyFolder(path: string, calls: WriteCalls): CopyFolder {
  const folder = join(path, "conflicts");
  const copyPath = (id: string) => join(path, `${id}${SUFFIX}`);

  function conflicts(): readonly Conflict[] {
    return namesIn(folder).flatMap((name) => {
      const id = SessionId.safeParse(name.slice(0, 36));
      return id.success && name.endsWith(SUFFIX) ? { id: id.data, path: join(folder, name) } : [];
    });
  }

  async function prune(id: string): Promise<void> {
    const mine = conflicts().filter((conflict) => conflict.id === id);
    const byAge = mine.map((conflict) => ({ conflict, at: statOf(conflict.path)?.mtimeNs ?? 0n })).sort((a, b) => Number(b.at - a.at));
    for (const { conflict } of byAge.slice(CONFLICTS_KEPT)) await removeDurably(conflict.path, calls);
  }

  return {
    path,
    ids: () => new Set(namesIn(path).flatMap((name) => (name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : []))),
    read(id) {
      const content = readBounded(copyPath(id), { maxBytes: 2 * MAX_DOCUMENT_BYTES });
      return content.kind === "text" ? decodeCopy(content.text) : null;
    },
    async write(id, copy) {
      await writeDurably(copyPath(id), { calls, text: encodeCopy(copy) });
    },
    prepare: (id, copy) => prepareDurably(copyPath(id), { calls, text: encodeCopy(copy) }),
    async remove(id) {
      if (statOf(copyPath(id)) !== null) await removeDurably(copyPath(id), calls);
    },
    async keepConflict({ id, ours, theirs }) {
      const text = `{"id": ${JSON.stringify(id)}, "ours": ${ours}, "theirs": ${theirs ?? "null"}}\n`;
      const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
      const conflict = { id, path: join(folder, `${id}.${hash}${SUFFIX}`) };
      await makeFolder(folder, calls);
      await writeDurably(conflict.path, { calls, text });
      await prune(id);
      return conflict;
    },
    conflicts,
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return [];
    throw error;
  }
}
