import { type ForkPoint, TmpmError } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import type { GitOptions, Scratch } from "../git/git.js";
import { type Head, headOf } from "../git/head.js";
import { requireGit } from "../git/require-git.js";
import { baseOf, type ReviewBase } from "./base-of.js";
import { type ByteText, bytesOf, lossyText, textOf } from "./byte-text.js";
import { type ChangedEntry, ENTRY_ARGS, parseEntries } from "./changed-entries.js";
import { patchesOf } from "./patches.js";
import { snapshotTree, withScratchIndex } from "./scratch-index.js";
import { type TurnKey, turnTrees } from "./turn-trees.js";
import { workTreeOf } from "./work-tree-of.js";

export interface DiffRequest {
  /** A directory in the work tree, absolute. */
  readonly directory: string;
  readonly fork: ForkPoint | null;
  /** A revision to compare with; null for the fork point. */
  readonly base: string | null;
  /** Only the changes of a turn; null for all. Up to now if it `runs`. */
  readonly turn: (Pick<TurnKey, "sessionId" | "generation"> & { readonly runs: boolean }) | null;
  /** Files and folders from the top of the work tree; all when empty. */
  readonly paths: readonly string[];
  /** Omit the patches. */
  readonly stat: boolean;
  readonly limit: number;
  /** `next` of the previous page; null for the first. */
  readonly cursor: string | null;
}

export interface ChangedFile extends Pick<ChangedEntry, "status" | "added" | "removed"> {
  /** From the top of the work tree; bytes that are not UTF-8 are U+FFFD. */
  readonly path: string;
  /** The name's bytes in base64; null when `path` is exact. */
  readonly path_bytes: string | null;
  /** The previous name of a renamed file. */
  readonly from: string | null;
  readonly old_mode: string | null;
  readonly new_mode: string | null;
  readonly binary: boolean;
  readonly submodule: boolean;
  /** In the format of `git diff`; null when not requested, and when too large. */
  readonly patch: string | null;
  readonly too_large: boolean;
}

export interface WorkspaceDiff {
  readonly top: string;
  readonly base: ReviewBase;
  readonly head: Head;
  readonly files: readonly ChangedFile[];
  /** Of all pages. */
  readonly total: { readonly files: number; readonly added: number; readonly removed: number };
  readonly next: string | null;
  readonly notes: readonly string[];
}

/** Maximum size of the files, before and after, whose patches are printed at once. */
const PAGE_BYTES = 2 * 1024 * 1024;

/**
 * The changes of a work tree from its base: committed, uncommitted and untracked, without ignored files. Read-only: index, objects and refs
 * of the repository are unchanged, and no pager and no program configured in the repository is run.
 * @throws INVALID_ARGUMENT, REPOSITORY_NOT_FOUND, GIT_FAILED; TURN_NOT_FOUND when no snapshot of the turn exists
 */
export async function diffWorkspace(ctx: WorkspaceContext, request: DiffRequest): Promise<WorkspaceDiff> {
  const top = await workTreeOf(ctx, request.directory);
  const inside = { directory: top, env: ctx.env, timeoutMs: ctx.inspectMs };
  const turn = request.turn === null ? null : await treesOfTurn(ctx, { ...request.turn, directory: top });
  const base: ReviewBase =
    turn === null ? await baseOf(inside, { fork: request.fork, asked: request.base }) : { commit: null, ref: null, found: "turn" };
  return withScratchIndex({ ...inside, objects: "scratch" }, async (scratched) => {
    const { tree, notes } = turn?.end == null ? await snapshotTree(scratched) : { tree: turn.end, notes: [] };
    const all = await entriesBetween(scratched, { before: turn?.start ?? base.commit, after: tree });
    const wanted = all.filter(within(request.paths));
    const page = await pageOf(scratched, { entries: wanted, request });
    return { top, base, head: await headOf(inside), total: totalOf(wanted), ...page, notes };
  });
}

async function treesOfTurn(ctx: WorkspaceContext, turn: TurnKey & { readonly runs: boolean }) {
  const { start, end } = await turnTrees(ctx, turn);
  if (start !== null && (end !== null || turn.runs)) return { start, end };
  throw new TmpmError("TURN_NOT_FOUND", "what stood in the work tree before and after that turn was not kept", {
    hint: "It is kept for the last 200 turns of a session in a repository, while `sessions.turn_trees` is on.",
    details: { generation: turn.generation },
  });
}

type Scratched = GitOptions & { readonly scratch: Scratch };

async function entriesBetween(git: Scratched, of: { before: string | null; after: string }): Promise<readonly ChangedEntry[]> {
  const before = of.before ?? (await requireGit(["mktree"], { ...git, input: "" })).trim();
  return parseEntries(await requireGit(["diff-tree", ...ENTRY_ARGS, before, of.after], { ...git, encoding: "latin1" }));
}

/** The named files, and those below named folders. */
function within(paths: readonly string[]): (entry: ChangedEntry) => boolean {
  const wanted = paths.map((path) => bytesOf(path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "")));
  if (wanted.length === 0) return () => true;
  const covers = (name: ByteText | null) =>
    name !== null && wanted.some((path) => path === "" || path === "." || name === path || name.startsWith(`${path}/`));
  return ({ path, from }) => covers(path) || covers(from);
}

function totalOf(entries: readonly ChangedEntry[]): WorkspaceDiff["total"] {
  return entries.reduce(
    ({ files, added, removed }, entry) => ({
      files: files + 1,
      added: added + (entry.added ?? 0),
      removed: removed + (entry.removed ?? 0),
    }),
    { files: 0, added: 0, removed: 0 },
  );
}

async function pageOf(git: Scratched, of: { readonly entries: readonly ChangedEntry[]; readonly request: DiffRequest }) {
  const { stat, limit, cursor } = of.request;
  const after = cursor === null ? null : bytesOfCursor(cursor);
  const rest = after === null ? of.entries : of.entries.filter(({ path }) => path > after);
  const few = rest.slice(0, limit);
  const sized = stat ? few.map((entry) => ({ entry, bytes: 0 })) : await withSizes(git, few);
  const shown = upTo(sized, PAGE_BYTES);
  const printed = stat ? [] : shown.filter(({ bytes }) => bytes <= PAGE_BYTES).map(({ entry }) => entry);
  const patches = new Map((await patchesOf(git, printed)).map((patch, index) => [printed[index]?.path, patch]));
  const last = shown.at(-1)?.entry.path;
  return {
    files: shown.map(({ entry, bytes }) =>
      fileOf(entry, { patch: patches.get(entry.path) ?? null, tooLarge: !stat && bytes > PAGE_BYTES }),
    ),
    next: last === undefined || shown.length === rest.length ? null : Buffer.from(last, "latin1").toString("base64url"),
  };
}

function bytesOfCursor(cursor: string): ByteText {
  if (!/^[\w-]+$/.test(cursor))
    throw new TmpmError("INVALID_ARGUMENT", "the cursor is not one of this list", { details: { field: "cursor" } });
  return Buffer.from(cursor, "base64url").toString("latin1");
}

interface Sized {
  readonly entry: ChangedEntry;
  /** Size before and after, together. */
  readonly bytes: number;
}

/** At least the first. */
function upTo(entries: readonly Sized[], most: number): readonly Sized[] {
  let sum = 0;
  const end = entries.findIndex(({ bytes }, index) => {
    sum += bytes > most ? 0 : bytes;
    return index > 0 && sum > most;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

const SUBMODULE = "160000";

async function withSizes(git: Scratched, entries: readonly ChangedEntry[]): Promise<readonly Sized[]> {
  const ids = (entry: ChangedEntry) => [
    ...(entry.oldMode === SUBMODULE ? [] : [entry.oldId]),
    ...(entry.newMode === SUBMODULE ? [] : [entry.newId]),
  ];
  const blobs = [...new Set(entries.flatMap(ids))].filter((id) => id !== null);
  const input = blobs.map((id) => `${id}\n`).join("");
  const answer = await requireGit(["cat-file", "--batch-check=%(objectname) %(objectsize)"], { ...git, input });
  const sizes = new Map(answer.split("\n").map((line) => [line.split(" ")[0] ?? "", Number(line.split(" ")[1]) || 0]));
  return entries.map((entry) => ({ entry, bytes: ids(entry).reduce((sum, id) => sum + (sizes.get(id ?? "") ?? 0), 0) }));
}

function fileOf(entry: ChangedEntry, of: { readonly patch: ByteText | null; readonly tooLarge: boolean }): ChangedFile {
  const { path, from, status, oldMode, newMode, added, removed } = entry;
  return {
    path: lossyText(path),
    path_bytes: textOf(path) === null ? Buffer.from(path, "latin1").toString("base64") : null,
    from: from === null ? null : lossyText(from),
    status,
    old_mode: oldMode,
    new_mode: newMode,
    binary: added === null,
    submodule: oldMode === SUBMODULE || newMode === SUBMODULE,
    added,
    removed,
    patch: of.patch === null ? null : lossyText(of.patch),
    too_large: of.tooLarge,
  };
}
