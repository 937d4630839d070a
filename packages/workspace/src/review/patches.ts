import type { GitOptions, Scratch } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import type { ByteText } from "./byte-text.js";
import type { ChangedEntry } from "./changed-entries.js";

type Scratched = GitOptions & { readonly scratch: Scratch };

/** The patch of each entry in git's format, in order. Names may be any bytes, because none is passed as an argument. */
export async function patchesOf(git: Scratched, entries: readonly ChangedEntry[]): Promise<readonly ByteText[]> {
  if (entries.length === 0) return [];
  const printed = await patchOf(git, entries);
  if (entries.length === 1) return [printed];
  const sections = printed.split(/^(?=diff --git )/m).filter((section) => section !== "");
  if (sections.length === entries.reduce((sum, entry) => sum + sectionsOf(entry), 0)) {
    let at = 0;
    return entries.map((entry) => {
      const end = at + sectionsOf(entry);
      const own = sections.slice(at, end).join("");
      at = end;
      return own;
    });
  }
  // Among fewer files git may detect other renames.
  const each: ByteText[] = [];
  for (const entry of entries) each.push(await patchOf(git, [entry]));
  return each;
}

/** A file that becomes a link, or a submodule a file, is printed as removed and added. */
function sectionsOf({ status }: ChangedEntry): number {
  return status === "type_changed" ? 2 : 1;
}

async function patchOf(git: Scratched, entries: readonly ChangedEntry[]): Promise<ByteText> {
  const before = await treeOf(
    git,
    entries.flatMap(({ from, path, oldMode, oldId }) =>
      oldMode === null || oldId === null ? [] : [`${oldMode} ${oldId}\t${from ?? path}`],
    ),
  );
  const after = await treeOf(
    git,
    entries.flatMap(({ path, newMode, newId }) => (newMode === null || newId === null ? [] : [`${newMode} ${newId}\t${path}`])),
  );
  const config = { ...git.config, "core.quotePath": "false" };
  return requireGit(["diff-tree", "-r", "-p", "-M", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", before, after], {
    ...git,
    config,
    encoding: "latin1",
  });
}

/** A tree with only these entries. */
async function treeOf(git: Scratched, lines: readonly ByteText[]): Promise<string> {
  await requireGit(["read-tree", "--empty"], git);
  const input = lines.map((line) => `${line}\0`).join("");
  await requireGit(["update-index", "-z", "--add", "--index-info"], { ...git, input, encoding: "latin1" });
  return (await requireGit(["write-tree", "--missing-ok"], git)).trim();
}
