import type { ChangedFile, CommentsAnswer } from "@tmpm/api";
import { useMemo, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { beginComment, type CommentDraft, commentDrafts, indexOfDraft, placeOf } from "../../state/comment-drafts.js";
import { mayChange } from "../../state/me.js";
import { type PatchLine, patchLines } from "../../words/patch-lines.js";
import { oneLine, shown } from "../../words/shown.js";
import { Count } from "./count.js";
import type { Comment } from "./use-changes.js";
import { WriteComment } from "./write-comment.js";

export interface ChangedFileProps {
  readonly session: string;
  readonly file: ChangedFile;
  readonly comments: readonly Comment[];
  /** Initially. */
  readonly isOpen: boolean;
  readonly change: (run: () => Promise<CommentsAnswer>) => Promise<boolean>;
}

const SIGNS = { same: " ", added: "+", removed: "−", hunk: "", note: "" } as const;

export function ChangedFileView(props: ChangedFileProps) {
  const { file, comments } = props;
  const [isOpen, setOpen] = useState(props.isOpen);
  const { path, from, status, added, removed } = file;
  return (
    <details class="changed" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="mono path">{from === null ? oneLine(path) : `${oneLine(from)} → ${oneLine(path)}`}</span>
        {status !== "modified" && <span class="soft">{status.replaceAll("_", " ")}</span>}
        <Count added={added} removed={removed} />
        {comments.length > 0 && <span class="badge">{comments.length}</span>}
      </summary>
      {isOpen && <Patch {...props} />}
    </details>
  );
}

function Patch({ session, file, comments, change }: ChangedFileProps) {
  const { path, patch } = file;
  const lines = useMemo(() => patchLines(patch ?? ""), [patch]);
  const drafts = draftsAt({ session, path, lines });
  const drop = (comment: string) => void change(() => tmpm.dropComment({ session, comment }));
  const lost = comments.filter(({ line }) => line === null);
  if (patch === null || lines.length === 0) return <p class="soft patch-none">{whyNoPatch(file)}</p>;
  return (
    <div class="patch mono">
      {lines.map((line, index) => {
        const place = placeOf(line);
        const comment = place === null ? null : () => beginComment({ session, path, ...place, text: line.text });
        return (
          <div key={`${line.kind}${line.before}.${line.after}.${index}`}>
            <div class={`line ${line.kind}`}>
              <Numbers line={line} path={path} comment={comment} />
              <span class="sign" aria-hidden="true">
                {SIGNS[line.kind]}
              </span>
              <code>{shown(line.text)}</code>
            </div>
            {place !== null &&
              comments.filter((each) => isAt(each, place)).map((each) => <Said key={each.id} comment={each} drop={drop} />)}
            {place !== null &&
              drafts
                .filter(({ at }) => at === index)
                .map(({ draft }) => <WriteComment key={draft.id} draft={draft} place={place} change={change} />)}
          </div>
        );
      })}
      {lost.map((each) => (
        <Said key={each.id} comment={each} drop={drop} />
      ))}
      {drafts
        .filter(({ at }) => at === null)
        .map(({ draft }) => (
          <WriteComment key={draft.id} draft={draft} place={null} change={change} />
        ))}
    </div>
  );
}

interface Drafted {
  readonly draft: CommentDraft;
  /** Index of its line; null when that is gone. */
  readonly at: number | null;
}

function draftsAt({
  session,
  path,
  lines,
}: Pick<CommentDraft, "session" | "path"> & { readonly lines: readonly PatchLine[] }): readonly Drafted[] {
  return commentDrafts.value
    .filter((draft) => draft.session === session && draft.path === path)
    .map((draft) => ({ draft, at: indexOfDraft(draft, lines) }));
}

interface NumbersProps {
  readonly line: PatchLine;
  readonly path: string;
  readonly comment: (() => void) | null;
}

function Numbers({ line: { before, after }, path, comment }: NumbersProps) {
  const number = after ?? before;
  if (comment === null || number === null || !mayChange.value) return <span class="number">{number ?? ""}</span>;
  return (
    <button
      type="button"
      class="number"
      aria-label={`Comment on ${after === null ? "old " : ""}line ${number} of ${oneLine(path)}`}
      onClick={comment}
    >
      {number}
    </button>
  );
}

function Said({ comment: { id, comment, sent, line, anchor }, drop }: { readonly comment: Comment; readonly drop: (id: string) => void }) {
  return (
    <div class="said">
      {line === null && <p class="soft">On a line that no longer exists: {oneLine(anchor.text)}</p>}
      <p>{shown(comment)}</p>
      <p class="soft">
        {sent === null ? "not sent" : "sent"}
        {mayChange.value && (
          <button type="button" class="link" onClick={() => drop(id)}>
            Remove
          </button>
        )}
      </p>
    </div>
  );
}

function isAt({ anchor, line }: Comment, place: Pick<CommentDraft, "side" | "line">): boolean {
  return anchor.side === place.side && line === place.line;
}

function whyNoPatch({ too_large, binary, submodule }: ChangedFile): string {
  if (too_large) return "Too large to show.";
  if (submodule) return "A submodule.";
  return binary ? "Not a text file." : "The content is unchanged.";
}
