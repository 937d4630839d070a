import type { ByteText } from "./byte-text.js";

/** One difference between two trees, with its names as bytes. */
export interface ChangedEntry {
  readonly path: ByteText;
  /** The previous name of a renamed file; null otherwise. */
  readonly from: ByteText | null;
  readonly status: "added" | "deleted" | "modified" | "renamed" | "type_changed";
  /** Octal, such as `100755`; null where it does not exist. */
  readonly oldMode: string | null;
  readonly newMode: string | null;
  /** Ids before and after: blobs, or commits for a submodule; null where it does not exist, and after for content that is only a file. */
  readonly oldId: string | null;
  readonly newId: string | null;
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** Whether its content after the change is only in the work tree. */
export function isOnlyFile({ newMode, newId }: Pick<ChangedEntry, "newMode" | "newId">): boolean {
  return newMode !== null && newId === null;
}

/** The arguments of `git diff` and `git diff-tree` for `parseEntries`. */
export const ENTRY_ARGS = ["-r", "-z", "--raw", "--numstat", "--no-abbrev", "-M"] as const;

/** The mode of a submodule. */
export const SUBMODULE = "160000";

const STATUS: Readonly<Record<string, ChangedEntry["status"]>> = {
  A: "added",
  C: "added",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "type_changed",
};

/** Reads `:MODE MODE ID ID S<NUL>PATH<NUL>[PATH<NUL>]` of each, then `N<TAB>N<TAB>PATH<NUL>` or `N<TAB>N<TAB><NUL>PATH<NUL>PATH<NUL>` of each. */
export function parseEntries(output: ByteText): readonly ChangedEntry[] {
  const fields = output.split("\0");
  const entries: Omit<ChangedEntry, "added" | "removed">[] = [];
  const counts = new Map<ByteText, readonly [number | null, number | null]>();
  for (let at = 0; at < fields.length; ) {
    const field = fields[at] ?? "";
    const raw = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(field);
    if (raw !== null) {
      const [, oldMode = "", newMode = "", oldId = "", newId = "", letter = ""] = raw;
      const moved = letter === "R" || letter === "C";
      const first = fields[at + 1] ?? "";
      entries.push({
        path: moved ? (fields[at + 2] ?? "") : first,
        from: letter === "R" ? first : null,
        status: STATUS[letter] ?? "modified",
        oldMode: /^0+$/.test(oldMode) ? null : oldMode,
        newMode: /^0+$/.test(newMode) ? null : newMode,
        oldId: /^0+$/.test(oldId) ? null : oldId,
        newId: /^0+$/.test(newId) ? null : newId,
      });
      at += moved ? 3 : 2;
      continue;
    }
    const counted = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(field);
    if (counted === null) {
      at += 1;
      continue;
    }
    const [, added = "", removed = "", name = ""] = counted;
    counts.set(name === "" ? (fields[at + 2] ?? "") : name, [lines(added), lines(removed)]);
    at += name === "" ? 3 : 1;
  }
  return entries
    .map((entry) => {
      const [added, removed] = counts.get(entry.path) ?? [0, 0];
      return { ...entry, added, removed };
    })
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function lines(text: string): number | null {
  return text === "-" ? null : Number(text);
}
