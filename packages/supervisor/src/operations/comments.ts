import { CONTEXT_LINES, lineOfAnchor, type ReviewComment, type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import type { FileSide } from "@tmpm/workspace";
import { carriedBy } from "../comments/carried-comments.js";
import { commentsPrompt, type PlacedComment } from "../comments/comments-prompt.js";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { workingDirectory } from "../launch/launch.js";

export interface CommentInput {
  readonly session: string;
  /** Relative to the top of the work tree. */
  readonly path: string;
  readonly line: number;
  readonly side?: "new" | "old" | undefined;
  /** The line as the user saw it. */
  readonly text?: string | undefined;
  readonly comment: string;
}

export interface SessionComments {
  readonly record: SessionRecord;
  readonly comments: readonly PlacedComment[];
}

const MOST_COMMENTS = 200;
const MOST_LINE = 500;

/**
 * Comments on a line of a session's changes. @throws FILE_NOT_FOUND, INVALID_ARGUMENT for a line that is missing or has another text,
 * REPOSITORY_NOT_FOUND, GIT_FAILED
 */
export async function comment(ctx: Context, input: CommentInput): Promise<SessionComments> {
  const record = await findSession(ctx, input.session);
  const { path, line, side = "new" } = input;
  const file = await sideOf(ctx, { record, path, side });
  if (file === null)
    throw new TmpmError("FILE_NOT_FOUND", `there is no text file ${JSON.stringify(path)} in the work tree`, { details: { path } });
  const text = file.lines[line - 1];
  if (text === undefined) {
    throw new TmpmError("INVALID_ARGUMENT", `${path} has ${file.lines.length} lines; line ${line} does not exist`, {
      details: { field: "line" },
    });
  }
  if (input.text !== undefined && input.text.replace(/\r$/, "") !== text) {
    throw new TmpmError("INVALID_ARGUMENT", `line ${line} of ${path} has changed`, {
      hint: "View the changes again, then comment on the line at its current position.",
      details: { field: "text" },
    });
  }
  const around = (from: number, to: number) => file.lines.slice(Math.max(0, from), Math.max(0, to)).map(shortened);
  const made: ReviewComment = {
    id: ctx.newId().slice(-8),
    anchor: {
      path,
      side,
      line,
      blob: file.blob,
      text: shortened(text),
      before: around(line - 1 - CONTEXT_LINES, line - 1),
      after: around(line, line + CONTEXT_LINES),
    },
    comment: input.comment,
    at: timestampFromMs(ctx.clock.now()),
    sent: null,
  };
  await ctx.comments.change(record.id, (all) => {
    if (all.length < MOST_COMMENTS) return [...all, made];
    throw new TmpmError("INVALID_ARGUMENT", `session ${record.name} has ${MOST_COMMENTS} comments already`, {
      hint: `\`tmpm comment ${record.name} --drop sent\` removes those that were sent.`,
    });
  });
  ctx.emit({ ...eventOf(record, made.at), type: "comment_added", comment_id: made.id, path, line, side });
  return { record, comments: [{ ...made, line }] };
}

/** All comments of a session, at their current places. */
export async function comments(ctx: Context, input: { readonly session: string }): Promise<SessionComments> {
  const record = await findSession(ctx, input.session);
  return { record, comments: await placed(ctx, { record, comments: await ctx.comments.of(record.id) }) };
}

/** Removes one by its id, the `sent` ones, or `all`; returns the removed ones. @throws COMMENT_NOT_FOUND */
export async function dropComment(ctx: Context, input: { readonly session: string; readonly comment: string }): Promise<SessionComments> {
  const record = await findSession(ctx, input.session);
  const { comment: which } = input;
  const gone = ({ id, sent }: ReviewComment) => which === "all" || (which === "sent" ? sent !== null : id === which);
  let dropped: readonly ReviewComment[] = [];
  await ctx.comments.change(record.id, (all) => {
    dropped = all.filter(gone);
    if (dropped.length > 0 || which === "all" || which === "sent") return all.filter((each) => !gone(each));
    throw new TmpmError("COMMENT_NOT_FOUND", `session ${record.name} has no comment ${JSON.stringify(which)}`, {
      hint: `\`tmpm comment ${record.name}\` lists them.`,
      details: { comment: which },
    });
  });
  const at = timestampFromMs(ctx.clock.now());
  if (dropped.length > 0) ctx.emit({ ...eventOf(record, at), type: "comments_dropped", count: dropped.length });
  return { record, comments: dropped.map((each) => ({ ...each, line: each.anchor.line })) };
}

export interface OpenComments {
  readonly prompt: string;
  readonly ids: readonly string[];
}

/**
 * The open comments of a session as one prompt, without those that an accepted send carries: they may not be marked yet. @throws
 * COMMENT_NOT_FOUND when there is none
 */
export async function openComments(ctx: Pick<Context, "comments" | "sends" | "workspaces">, record: SessionRecord): Promise<OpenComments> {
  const carried = new Set((await ctx.sends.list(record.id)).flatMap(carriedBy));
  const open = (await ctx.comments.of(record.id)).filter(({ id, sent }) => sent === null && !carried.has(id));
  if (open.length === 0) {
    throw new TmpmError("COMMENT_NOT_FOUND", `session ${record.name} has no open comments`, {
      hint: `\`tmpm comment ${record.name} FILE:LINE TEXT\` adds one.`,
    });
  }
  return { prompt: commentsPrompt(await placed(ctx, { record, comments: open })), ids: open.map(({ id }) => id) };
}

function eventOf({ id, project_id }: SessionRecord, at: string) {
  return { at, session_id: id, project_id };
}

async function placed(
  ctx: Pick<Context, "workspaces">,
  { record, comments: all }: { readonly record: SessionRecord; readonly comments: readonly ReviewComment[] },
): Promise<readonly PlacedComment[]> {
  const files = new Map<string, FileSide | null>();
  for (const { anchor } of all) {
    const key = `${anchor.side}:${anchor.path}`;
    if (!files.has(key)) files.set(key, await readable(ctx, { record, ...anchor }));
  }
  return all.map((each) => {
    const { anchor } = each;
    const file = files.get(`${anchor.side}:${anchor.path}`) ?? null;
    if (file === null) return { ...each, line: null };
    return { ...each, line: file.blob === anchor.blob ? anchor.line : lineOfAnchor(anchor, file.lines.map(shortened)) };
  });
}

interface Wanted {
  readonly record: SessionRecord;
  readonly path: string;
  readonly side: "new" | "old";
}

function sideOf(ctx: Pick<Context, "workspaces">, { record, path, side }: Wanted): Promise<FileSide | null> {
  return ctx.workspaces.readSide({ directory: workingDirectory(record), fork: record.fork, path, side });
}

/** Without the directory, comments have no places. */
async function readable(ctx: Pick<Context, "workspaces">, wanted: Wanted): Promise<FileSide | null> {
  try {
    return await sideOf(ctx, wanted);
  } catch (error) {
    if (error instanceof TmpmError) return null;
    throw error;
  }
}

function shortened(line: string): string {
  return line.slice(0, MOST_LINE);
}
