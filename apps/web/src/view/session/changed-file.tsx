import type { ChangedFile, CommentsAnswer } from "@tmpm/api";
import { useMemo, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { mayChange } from "../../state/me.js";
import { type PatchLine, patchLines } from "../../words/patch-lines.js";
import { oneLine, shown } from "../../words/shown.js";
import { Count } from "./count.js";
import type { Comment } from "./use-changes.js";

export interface ChangedFileProps {
  readonly session: string;
  readonly file: ChangedFile;
  readonly comments: readonly Comment[];
  /** Initially. */
  readonly isOpen: boolean;
  readonly change: (run: () => Promise<CommentsAnswer>) => Promise<boolean>;
}

/** A line that can be commented on. */
interface Place {
  readonly side: "new" | "old";
  readonly line: number;
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
  const [writing, setWriting] = useState<Place | null>(null);
  const lines = useMemo(() => patchLines(file.patch ?? ""), [file.patch]);
  const drop = (comment: string) => void change(() => tmpm.dropComment({ session, comment }));
  const lost = comments.filter(({ line }) => line === null);
  if (file.patch === null || lines.length === 0) return <p class="soft patch-none">{whyNoPatch(file)}</p>;
  return (
    <div class="patch mono">
      {lines.map((line, index) => {
        const place = placeOf(line);
        return (
          <div key={`${line.kind}${line.before}.${line.after}.${index}`}>
            <div class={`line ${line.kind}`}>
              <Numbers line={line} path={file.path} comment={place === null ? null : () => setWriting(place)} />
              <span class="sign" aria-hidden="true">
                {SIGNS[line.kind]}
              </span>
              <code>{shown(line.text)}</code>
            </div>
            {place !== null &&
              comments.filter((each) => isAt(each, place)).map((each) => <Said key={each.id} comment={each} drop={drop} />)}
            {place !== null && writing !== null && isSame(writing, place) && (
              <Write
                close={() => setWriting(null)}
                give={(comment) => change(() => tmpm.comment({ session, path: file.path, ...place, comment }))}
              />
            )}
          </div>
        );
      })}
      {lost.map((each) => (
        <Said key={each.id} comment={each} drop={drop} />
      ))}
    </div>
  );
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

interface WriteProps {
  readonly close: () => void;
  readonly give: (comment: string) => Promise<boolean>;
}

function Write({ close, give }: WriteProps) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  async function submit(): Promise<void> {
    if (text.trim() === "" || busy) return;
    setBusy(true);
    if (await give(text)) close();
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
      <textarea
        class="field"
        rows={2}
        aria-label="Comment"
        value={text}
        ref={(field) => {
          if (text === "") field?.focus();
        }}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
          else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
          else return;
          event.stopPropagation();
        }}
      />
      <p class="said-tools">
        <button type="submit" class="button main" disabled={busy}>
          Comment
        </button>
        <button type="button" class="button quiet" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}

function placeOf({ before, after }: PatchLine): Place | null {
  if (after !== null) return { side: "new", line: after };
  return before === null ? null : { side: "old", line: before };
}

function isSame(a: Place, b: Place): boolean {
  return a.side === b.side && a.line === b.line;
}

function isAt({ anchor, line }: Comment, place: Place): boolean {
  return line !== null && isSame({ side: anchor.side, line }, place);
}

function whyNoPatch({ too_large, binary, submodule }: ChangedFile): string {
  if (too_large) return "Too large to show.";
  if (submodule) return "A submodule.";
  return binary ? "Not a text." : "The content is unchanged.";
}
