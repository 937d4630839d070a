import type { SessionRecord, Turn } from "@tmpm/core";
import type { WorkspaceDiff } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { workingDirectory } from "../launch/launch.js";
import { requireStanding } from "../launch/require-standing.js";
import { findTurn } from "../turns/find-turn.js";

export interface DiffInput {
  readonly session: string;
  /** Relative to the top of the work tree. */
  readonly paths?: readonly string[] | undefined;
  readonly stat?: boolean | undefined;
  /** Patches that `git apply` takes. */
  readonly exact?: boolean | undefined;
  /** Revision to compare with instead of the fork point. */
  readonly base?: string | undefined;
  /** Only the changes of a turn: its id, a prefix of it or its key; `last` for the newest. */
  readonly turn?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface SessionDiff extends WorkspaceDiff {
  readonly record: SessionRecord;
  readonly turn: Turn | null;
}

const PAGE_FILES = 300;

/**
 * A session's changes since its fork point, or during a turn. @throws DIRECTORY_NOT_FOUND, TURN_NOT_FOUND, REPOSITORY_NOT_FOUND,
 * INVALID_ARGUMENT, GIT_FAILED, and the errors of `findSession`
 */
export async function diff(ctx: Context, input: DiffInput): Promise<SessionDiff> {
  const record = await findSession(ctx, input.session);
  await requireStanding(ctx, record);
  const turn = input.turn === undefined ? null : await turnOf(ctx, { session: record, turn: input.turn });
  await ctx.turnTrees.settled(record.id);
  const seen = await ctx.workspaces.diff({
    directory: workingDirectory(record),
    fork: record.fork ?? forkOfOlder(record),
    base: input.base ?? null,
    turn: turn === null ? null : { sessionId: record.id, generation: turn.generation, runs: turn.state !== "ended" },
    paths: input.paths ?? [],
    stat: input.stat ?? false,
    exact: input.exact ?? false,
    limit: input.limit ?? PAGE_FILES,
    cursor: input.cursor ?? null,
  });
  return { record, turn, ...seen };
}

async function turnOf(ctx: Pick<Context, "turns">, wanted: { readonly session: SessionRecord; readonly turn: string }): Promise<Turn> {
  const [newest] = wanted.turn === "last" ? await ctx.turns.list(wanted.session.id, { limit: 1 }) : [];
  return newest ?? findTurn(ctx, wanted);
}

/** For a session created before fork points were recorded, its workspace has it. */
function forkOfOlder({ workspace, repo_url }: SessionRecord): SessionRecord["fork"] {
  return workspace === null ? null : { commit: workspace.base, ref: workspace.base_ref, remote: repo_url };
}
