import { signal } from "@preact/signals";
import type { PatchLine } from "../words/patch-lines.js";

/** A comment that is being written, bound to the line as it was shown when it began. */
export interface CommentDraft {
  readonly id: number;
  readonly session: string;
  readonly path: string;
  readonly side: "new" | "old";
  readonly line: number;
  /** The line's text. */
  readonly text: string;
  readonly comment: string;
}

/** Of all sessions. They outlive the views that show them, until a reload of the page. */
export const commentDrafts = signal<readonly CommentDraft[]>([]);

let last = 0;

/** Begins a comment on a line, unless there is one. */
export function beginComment(at: Omit<CommentDraft, "id" | "comment">): void {
  const there = commentDrafts.value.some(
    ({ session, path, side, line, text }) =>
      session === at.session && path === at.path && side === at.side && line === at.line && text === at.text,
  );
  if (!there) commentDrafts.value = [...commentDrafts.value, { ...at, id: ++last, comment: "" }];
}

export function writeComment(id: number, comment: string): void {
  commentDrafts.value = commentDrafts.value.map((draft) => (draft.id === id ? { ...draft, comment } : draft));
}

export function endComment(id: number): void {
  commentDrafts.value = commentDrafts.value.filter((draft) => draft.id !== id);
}

/** A line's place in its file; null for one that is in neither version. */
export function placeOf({ before, after }: PatchLine): Pick<CommentDraft, "side" | "line"> | null {
  if (after !== null) return { side: "new", line: after };
  return before === null ? null : { side: "old", line: before };
}

/** The index of a draft's line among those shown now: the nearest with the same text on the same side. Null when there is none. */
export function indexOfDraft({ side, line, text }: CommentDraft, lines: readonly PatchLine[]): number | null {
  const found = lines.flatMap((each, index) => {
    const place = placeOf(each);
    return place?.side === side && each.text === text ? [{ index, distance: Math.abs(place.line - line) }] : [];
  });
  return found.sort((a, b) => a.distance - b.distance)[0]?.index ?? null;
}
