import type { CommentsAnswer } from "@tmpm/api";
import { useEffect, useRef, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { type CommentDraft, endComment, writeComment } from "../../state/comment-drafts.js";
import { oneLine } from "../../words/shown.js";

export interface WriteCommentProps {
  readonly draft: CommentDraft;
  /** The current place of its line; null when that is gone. */
  readonly place: Pick<CommentDraft, "side" | "line"> | null;
  readonly change: (run: () => Promise<CommentsAnswer>) => Promise<boolean>;
}

/** The daemon compares longer lines by their number alone. */
const MOST_COMPARED = 16_384;

export function WriteComment({ draft, place, change }: WriteCommentProps) {
  const { id, session, path, text, comment } = draft;
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (comment === "") field.current?.focus();
  }, [id]);
  const compared = text.length <= MOST_COMPARED ? { text } : {};
  async function submit(): Promise<void> {
    if (comment.trim() === "" || busy || place === null) return;
    setBusy(true);
    if (await change(() => tmpm.comment({ session, path, ...place, ...compared, comment }))) endComment(id);
    else setBusy(false);
  }
  return (
    <form
      class="said"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {place === null && <p class="soft">On a line that no longer exists: {oneLine(text)}</p>}
      <textarea
        ref={field}
        class="field"
        rows={2}
        aria-label="Comment"
        value={comment}
        onInput={({ currentTarget }) => writeComment(id, currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") endComment(id);
          else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
          else return;
          event.stopPropagation();
        }}
      />
      <p class="said-tools">
        <button type="submit" class="button main" disabled={busy || place === null}>
          Comment
        </button>
        <button type="button" class="button quiet" onClick={() => endComment(id)}>
          Cancel
        </button>
      </p>
    </form>
  );
}
