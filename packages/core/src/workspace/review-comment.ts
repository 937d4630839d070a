import * as z from "zod";
import { Timestamp } from "../time/timestamp.js";

/** The place of a comment, and the data to find it again after changes. */
export const CommentAnchor = z.object({
  /** Relative to the top of the work tree. */
  path: z.string(),
  /** `new` for the current file, `old` for the file at the fork point. */
  side: z.enum(["new", "old"]),
  /** Counted from 1. */
  line: z.number().int().positive(),
  /** Git's id of the file's content at that time. */
  blob: z.string(),
  text: z.string(),
  /** The surrounding lines, at most three on each side. */
  before: z.array(z.string()),
  after: z.array(z.string()),
});
export type CommentAnchor = z.infer<typeof CommentAnchor>;

export const ReviewComment = z.object({
  id: z.string(),
  anchor: CommentAnchor,
  comment: z.string(),
  at: Timestamp,
  /** The send that carried it; null while it is open. */
  sent: z.object({ at: Timestamp, send_id: z.string().nullable() }).nullable(),
});
export type ReviewComment = z.infer<typeof ReviewComment>;

/** The comments on a session's changes, oldest first. */
export const CommentList = z.object({ comments: z.array(ReviewComment) });
export type CommentList = z.infer<typeof CommentList>;

/** Number of context lines kept on each side. */
export const CONTEXT_LINES = 3;

/**
 * The anchor's current line in the content, counted from 1; null when it no longer exists. Among equal lines, the one with the same context
 * wins, then the nearest.
 */
export function lineOfAnchor(anchor: CommentAnchor, lines: readonly string[]): number | null {
  const found = lines.flatMap((text, index) =>
    text === anchor.text ? [{ line: index + 1, alike: alikeAround(anchor, { lines, index }) }] : [],
  );
  const [best] = found.sort((a, b) => b.alike - a.alike || Math.abs(a.line - anchor.line) - Math.abs(b.line - anchor.line));
  if (best === undefined) return null;
  // A brace or an empty line occurs everywhere, so it needs its context.
  const isDistinctive = /[\p{L}\p{N}]/u.test(anchor.text) || anchor.before.length + anchor.after.length === 0;
  return best.alike > 0 || isDistinctive ? best.line : null;
}

function alikeAround(
  { before, after }: CommentAnchor,
  { lines, index }: { readonly lines: readonly string[]; readonly index: number },
): number {
  const above = before.toReversed().filter((text, offset) => lines[index - 1 - offset] === text).length;
  const below = after.filter((text, offset) => lines[index + 1 + offset] === text).length;
  return above + below;
}
