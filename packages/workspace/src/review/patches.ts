import { join } from "node:path";
import type { GitOptions, Scratch } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import type { ByteText } from "./byte-text.js";
import { type ChangedEntry, isOnlyFile } from "./changed-entries.js";
import { mostBytes } from "./file-sizes.js";
import { inScratchFolder } from "./scratch-index.js";

type Scratched = GitOptions & { readonly scratch: Scratch };

export interface PatchOptions {
  readonly entries: readonly ChangedEntry[];
  /** Any object of the repository. */
  readonly any: string;
  /** With the content of binary files. */
  readonly exact: boolean;
}

/** The patch of each entry in git's format, by its path. Names may be any bytes, because none is passed as an argument. */
export async function patchesOf(git: Scratched, { entries, any, exact }: PatchOptions): Promise<ReadonlyMap<ByteText, ByteText>> {
  const [files, objects] = [entries.filter(isOnlyFile), entries.filter((entry) => !isOnlyFile(entry))];
  const both = await Promise.all([
    patchesAfter(git, { entries: files, any, exact, after: "files" }),
    patchesAfter(git, { entries: objects, any, exact, after: "objects" }),
  ]);
  return new Map(both.flat());
}

/** Whether their contents after the change are only in the work tree, or objects: of a file hidden from git the latter is meant. */
type After = "files" | "objects";

async function patchesAfter(
  git: Scratched,
  wanted: PatchOptions & { readonly after: After },
): Promise<readonly (readonly [ByteText, ByteText])[]> {
  const { entries } = wanted;
  if (entries.length === 0) return [];
  const printed = await patchOf(git, wanted);
  const sections = entries.length === 1 ? [] : printed.split(/^(?=diff --git )/m).filter((section) => section !== "");
  if (sections.length === entries.reduce((sum, entry) => sum + sectionsOf(entry), 0)) {
    let at = 0;
    return entries.map((entry) => {
      const end = at + sectionsOf(entry);
      const own = sections.slice(at, end).join("");
      at = end;
      return [entry.path, own];
    });
  }
  if (entries.length === 1) return entries.map(({ path }) => [path, printed]);
  // Among fewer files git may detect other renames, and files of the work tree may have changed.
  const each: (readonly [ByteText, ByteText])[] = [];
  for (const entry of entries) each.push([entry.path, await patchOf(git, { ...wanted, entries: [entry] })]);
  return each;
}

/** A file that becomes a link, or a submodule a file, is printed as removed and added. */
function sectionsOf({ status }: ChangedEntry): number {
  return status === "type_changed" ? 2 : 1;
}

/** Room for a patch, in sizes of its files: markers and hunk headers may be longer than short lines. */
const PRINTED = 8;

const SHOWN = ["-r", "-p", "-M", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"] as const;

function patchOf(git: Scratched, { entries, any, exact, after }: PatchOptions & { readonly after: After }): Promise<ByteText> {
  return inScratchFolder(async (folder) => {
    const indexed = (name: string): Scratched => ({
      ...git,
      config: { ...git.config, "core.quotePath": "false", "core.ignoreStat": "false" },
      encoding: "latin1",
      scratch: { ...git.scratch, index: join(folder, name) },
    });
    const [old, now] = [indexed("old"), indexed("new")];
    const [tree] = await Promise.all([treeOf(old, linesBefore(entries)), fill(now, linesAfter(entries, any))]);
    const cached = after === "objects" ? ["--cached"] : ["--ignore-submodules=dirty"];
    const content = exact ? ["--binary"] : [];
    return requireGit(["diff-index", ...SHOWN, ...content, ...cached, tree, "--"], { ...now, mostBytes: PRINTED * mostBytes({ exact }) });
  });
}

function linesBefore(entries: readonly ChangedEntry[]): readonly ByteText[] {
  return entries.flatMap(({ from, path, oldMode, oldId }) =>
    oldMode === null || oldId === null ? [] : [`${oldMode} ${oldId}\t${from ?? path}`],
  );
}

/** In an index without times every file of the work tree is compared, so that its id there is never read. */
function linesAfter(entries: readonly ChangedEntry[], any: string): readonly ByteText[] {
  const unread = any.replace(/./g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
  return entries.flatMap(({ path, newMode, newId }) => (newMode === null ? [] : [`${newMode} ${newId ?? unread}\t${path}`]));
}

/** A tree with only these entries. */
async function treeOf(git: Scratched, lines: readonly ByteText[]): Promise<string> {
  await fill(git, lines);
  return (await requireGit(["write-tree", "--missing-ok"], git)).trim();
}

async function fill(git: Scratched, lines: readonly ByteText[]): Promise<void> {
  const input = lines.map((line) => `${line}\0`).join("");
  await requireGit(["update-index", "-z", "--add", "--index-info"], { ...git, input });
}
