import type { WorkspaceContext } from "../context.js";
import { requireGit } from "../git/require-git.js";
import { snapshotTree, withScratchIndex } from "./scratch-index.js";

/** A turn of a session, by its number. `directory` is any in its work tree, or the repository. */
export interface TurnKey {
  readonly directory: string;
  readonly sessionId: string;
  readonly generation: number;
}

/** Snapshots of the work tree at the start and end of a turn, as ids of trees; null without one. */
export interface TurnTrees {
  readonly start: string | null;
  readonly end: string | null;
}

export interface KeptTree extends TurnKey {
  readonly edge: keyof TurnTrees;
  readonly tree: string;
}

/** One ref for each session: a tree with an entry for each edge of a turn, because a ref for each turn would slow git down. */
const TURNS = "refs/tmpm/turns/";
/** As many turns as in a session's history. */
const MOST_TURNS = 200;

/** Objects kept in the repository: stored loose, since a pack for every turn would make git repack all of them. */
const KEPT = { "core.compression": "-1", "core.bigFileThreshold": "512m", "core.fsync": "default" };

/**
 * All files of the work tree around a directory except ignored ones, as a tree in its repository. The user's index is not written. @throws
 * GIT_FAILED
 */
export async function snapshotWorkTree(ctx: WorkspaceContext, directory: string): Promise<string> {
  const git = { directory, env: ctx.env, timeoutMs: ctx.lookMs, objects: "repository" } as const;
  return withScratchIndex(git, async (scratched) => (await snapshotTree({ ...scratched, config: KEPT })).tree);
}

/** Stores a tree for an edge of a turn. The oldest turns are dropped. Calls for one session must be sequential. @throws GIT_FAILED */
export async function keepTurnTree(ctx: WorkspaceContext, kept: KeptTree): Promise<void> {
  const git = { directory: kept.directory, env: ctx.env, timeoutMs: ctx.lookMs };
  const ref = `${TURNS}${kept.sessionId}`;
  const name = entryName(kept.generation, kept.edge);
  const before = await entriesOf(ctx, kept);
  const lines = [...before]
    .filter(([each]) => each !== name && Number.parseInt(each, 10) > kept.generation - MOST_TURNS)
    .concat([[name, kept.tree]])
    .map(([each, tree]) => `040000 tree ${tree}\t${each}\n`);
  const all = (await requireGit(["mktree"], { ...git, input: lines.join("") })).trim();
  await requireGit(["update-ref", ref, all], { ...git, effect: "unknown" });
}

/** @throws GIT_FAILED */
export async function turnTrees(ctx: WorkspaceContext, key: TurnKey): Promise<TurnTrees> {
  const entries = await entriesOf(ctx, key);
  const of = (edge: keyof TurnTrees) => entries.get(entryName(key.generation, edge)) ?? null;
  return { start: of("start"), end: of("end") };
}

/** @throws GIT_FAILED */
export async function dropTurnTrees(ctx: WorkspaceContext, of: Omit<TurnKey, "generation">): Promise<void> {
  await requireGit(["update-ref", "-d", `${TURNS}${of.sessionId}`], { directory: of.directory, env: ctx.env, effect: "unknown" });
}

function entryName(generation: number, edge: keyof TurnTrees): string {
  return `${String(generation).padStart(9, "0")}.${edge}`;
}

async function entriesOf(ctx: WorkspaceContext, { directory, sessionId }: Omit<TurnKey, "generation">): Promise<Map<string, string>> {
  // A session without snapshots has no ref.
  const listed = await requireGit(["ls-tree", "--full-tree", `${TURNS}${sessionId}`], { directory, env: ctx.env, accept: [0, 128] });
  const lines = listed.split("\n").map((line) => /^040000 tree ([0-9a-f]+)\t(.+)$/.exec(line));
  return new Map(lines.flatMap((found) => (found === null ? [] : [[found[2] ?? "", found[1] ?? ""]])));
}
