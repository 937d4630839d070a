import { type ForkPoint, TmpmError } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import type { GitOptions, Scratch } from "../git/git.js";
import type { Head } from "../git/head.js";
import { filtersIn } from "../git/repository-filters.js";
import { requireGit } from "../git/require-git.js";
import { baseOf, type ReviewBase } from "./base-of.js";
import { type ByteText, bytesOf, lossyText, textOf } from "./byte-text.js";
import { type ChangedEntry, ENTRY_ARGS, parseEntries, SUBMODULE } from "./changed-entries.js";
import { type Measuring, mostBytes, PAGE_BYTES, type SizedEntry, withSizes } from "./file-sizes.js";
import { type PatchOptions, patchesOf } from "./patches.js";
import { snapshotTree, withScratchIndex } from "./scratch-index.js";
import { type TurnKey, turnTrees } from "./turn-trees.js";
import { versionOf } from "./version-of.js";
import { listUntracked, workTreeChanges } from "./work-tree-changes.js";
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
  /** Patches that `git apply` takes: with the content of binary files, and of larger ones. */
  readonly exact: boolean;
  readonly limit: number;
  /** `next` of the previous page; null for the first. */
  readonly cursor: string | null;
}

export interface ChangedFile extends Pick<ChangedEntry, "status" | "added" | "removed"> {
  /** From the top of the work tree; bytes that are not UTF-8 are U+FFFD. */
  readonly path: string;
  /** The name's bytes in base64; null when it is valid UTF-8. */
  readonly path_bytes: string | null;
  /** The previous name of a renamed file. */
  readonly from: string | null;
  readonly old_mode: string | null;
  readonly new_mode: string | null;
  readonly binary: boolean;
  readonly submodule: boolean;
  /**
   * In the format of `git diff`; null when not requested, when too large, and for an exact one with bytes that are not UTF-8. In others these
   * are U+FFFD.
   */
  readonly patch: string | null;
  /** The patch's bytes in base64; null when it is valid UTF-8. */
  readonly patch_bytes: string | null;
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
  /** Differs between two pages when the work tree changed in between. Undefined when one page has everything. */
  readonly version?: string;
  readonly notes: readonly string[];
}

/**
 * The changes of a work tree from its base: committed, uncommitted and untracked, without ignored files. Read-only: index, objects and refs
 * of the repository are unchanged, and no pager and no program configured in the repository is run.
 * @throws INVALID_ARGUMENT, REPOSITORY_NOT_FOUND, GIT_FAILED; TURN_NOT_FOUND when no snapshot of the turn exists
 */
export async function diffWorkspace(ctx: WorkspaceContext, request: DiffRequest): Promise<WorkspaceDiff> {
  const { top, head } = await workTreeOf(ctx, request.directory);
  const inside = { directory: top, env: ctx.env, timeoutMs: ctx.inspectMs };
  const turn = request.turn === null ? null : await treesOfTurn(ctx, { ...request.turn, directory: top });
  const asking: Promise<ReviewBase> =
    turn === null
      ? baseOf(inside, { fork: request.fork, asked: request.base, head })
      : Promise.resolve({ commit: null, ref: null, found: "turn" });
  // It is awaited after what does not need it.
  asking.catch(() => undefined);
  return withScratchIndex({ ...inside, objects: "scratch" }, async (scratched) => {
    const { disabled, users } = await filtersIn(scratched);
    const git = { ...scratched, config: disabled };
    const end = turn?.end ?? null;
    const listed = end === null ? await listUntracked(git) : false;
    const base = await asking;
    const before = turn?.start ?? base.commit ?? (await requireGit(["mktree"], { ...git, input: "" })).trim();
    const { entries: all, notes } = await changesOf(git, { before, end, listed });
    const entries = all.filter(within(request.paths));
    const page = await pageOf(git, { entries, any: before, exact: request.exact, request, top, users });
    return { top, base, head, total: totalOf(entries), ...page, notes };
  });
}

async function treesOfTurn(ctx: WorkspaceContext, turn: TurnKey & { readonly runs: boolean }) {
  const { start, end } = await turnTrees(ctx, turn);
  if (start !== null && (end !== null || turn.runs)) return { start, end };
  throw new TmpmError("TURN_NOT_FOUND", "the state of the work tree before and after that turn was not kept", {
    hint: "It is kept for the last 200 turns of a session in a repository, while `sessions.turn_trees` is on.",
    details: { generation: turn.generation },
  });
}

type Scratched = GitOptions & { readonly scratch: Scratch };

interface Compared {
  readonly before: string;
  /** The tree at the end of a turn; null for the work tree. */
  readonly end: string | null;
  /** Whether the scratch index has the untracked files. */
  readonly listed: boolean;
}

interface Changes extends Pick<PatchOptions, "entries"> {
  readonly notes: readonly string[];
}

async function changesOf(git: Scratched, { before, end, listed }: Compared): Promise<Changes> {
  const entries = listed ? await workTreeChanges(git, before) : null;
  if (entries !== null) return { entries, notes: [] };
  const { tree, notes } = end === null ? await snapshotTree(git) : { tree: end, notes: [] };
  const output = await requireGit(["diff-tree", ...ENTRY_ARGS, before, tree], { ...git, encoding: "latin1" });
  return { entries: parseEntries(output), notes };
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

interface Paging extends Measuring, PatchOptions {
  readonly request: DiffRequest;
}

async function pageOf(git: Scratched, of: Paging) {
  const { stat, exact, limit, cursor } = of.request;
  const most = mostBytes({ exact });
  const last = cursor === null ? null : bytesOfCursor(cursor);
  const rest = last === null ? of.entries : of.entries.filter(({ path }) => path > last);
  const few = rest.slice(0, limit);
  // Of later pages it is computed last, so that it also covers a change while they are read.
  const first = last === null ? await versionOf(of) : null;
  const sized = stat ? few.map((entry) => ({ entry, bytes: 0 })) : await withSizes(git, { ...of, entries: few });
  const shown = upTo(sized, most);
  const printed = stat ? [] : shown.filter(({ bytes }) => bytes <= most).map(({ entry }) => entry);
  const patches = await patchesOf(git, { ...of, entries: printed });
  const end = shown.at(-1)?.entry.path;
  const isWhole = last === null && shown.length === rest.length;
  return {
    files: shown.map(({ entry, bytes }) =>
      fileOf(entry, { patch: patches.get(entry.path) ?? null, tooLarge: !stat && bytes > most, exact }),
    ),
    next: end === undefined || shown.length === rest.length ? null : Buffer.from(end, "latin1").toString("base64url"),
    ...(isWhole ? {} : { version: first ?? (await versionOf(of)) }),
  };
}

function bytesOfCursor(cursor: string): ByteText {
  if (!/^[\w-]+$/.test(cursor))
    throw new TmpmError("INVALID_ARGUMENT", "the cursor does not belong to this list", { details: { field: "cursor" } });
  return Buffer.from(cursor, "base64url").toString("latin1");
}

/** At least the first. Files larger than `most` are listed without a patch. */
function upTo(entries: readonly SizedEntry[], most: number): readonly SizedEntry[] {
  let sum = 0;
  const end = entries.findIndex(({ bytes }, index) => {
    sum += bytes > most ? 0 : bytes;
    return index > 0 && sum > PAGE_BYTES;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

interface Printed {
  readonly patch: ByteText | null;
  readonly tooLarge: boolean;
  readonly exact: boolean;
}

function fileOf(entry: ChangedEntry, of: Printed): ChangedFile {
  const { path, from, status, oldMode, newMode, added, removed } = entry;
  return {
    path: lossyText(path),
    path_bytes: bytesUnlessText(path),
    from: from === null ? null : lossyText(from),
    status,
    old_mode: oldMode,
    new_mode: newMode,
    binary: added === null,
    submodule: oldMode === SUBMODULE || newMode === SUBMODULE,
    added,
    removed,
    ...patchTexts(of),
    too_large: of.tooLarge,
  };
}

/** An exact patch may be large, so it is in one of them only. */
function patchTexts({ patch, exact }: Printed): Pick<ChangedFile, "patch" | "patch_bytes"> {
  if (patch === null) return { patch: null, patch_bytes: null };
  const patch_bytes = bytesUnlessText(patch);
  return { patch: exact && patch_bytes !== null ? null : lossyText(patch), patch_bytes };
}

/** In base64; null for UTF-8. */
function bytesUnlessText(bytes: ByteText): string | null {
  return textOf(bytes) === null ? Buffer.from(bytes, "latin1").toString("base64") : null;
}
