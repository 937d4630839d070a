import type { SessionAnswer } from "@tmpm/api";
import { useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { commentDrafts } from "../../state/comment-drafts.js";
import { mayChange } from "../../state/me.js";
import { say } from "../../state/notices.js";
import { seen } from "../../state/sessions.js";
import { failureText } from "../../words/failure-words.js";
import { receiptWords } from "../../words/receipt-words.js";
import { oneLine } from "../../words/shown.js";
import { ChangedFileView } from "./changed-file.js";
import "./changes.css";
import { Count } from "./count.js";
import { type Comment, useChanges } from "./use-changes.js";
import { WriteComment } from "./write-comment.js";

/** Up to this many changed lines, all files are initially expanded. */
const OPEN_AT_FIRST = 800;

/** The session's changes since its fork point, and comments on them, which are sent as one prompt. */
export function ChangesView({ session }: { readonly session: SessionAnswer }) {
  const { diff, comments, failure, look, more, change } = useChanges(session);
  const open = comments.filter(({ sent }) => sent === null);
  if (diff === null) return <section class="changes soft">{failure ?? "Looking…"}</section>;
  const { total, files, base, notes, next } = diff;
  // Without its file, a comment that is being written still has its text.
  const homeless = commentDrafts.value.filter((draft) => draft.session === session.id && !files.some(({ path }) => path === draft.path));
  return (
    <section class="changes" aria-label="Changes">
      <header class="changes-head">
        <p>
          <strong>{total.files === 1 ? "1 file" : `${total.files} files`}</strong> <Count added={total.added} removed={total.removed} />{" "}
          <span class="soft">since {oneLine(base.ref?.replace(/^refs\/heads\//, "") ?? base.commit?.slice(0, 10) ?? "the beginning")}</span>
        </p>
        <button type="button" class="button quiet" onClick={look}>
          Reload
        </button>
        {mayChange.value && open.length > 0 && <SendComments session={session} open={open} done={look} />}
      </header>
      {failure !== null && (
        <p class="error" role="alert">
          {failure}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="soft">
          {oneLine(note)}
        </p>
      ))}
      {files.length === 0 && <p class="soft">No changes.</p>}
      {files.map((file) => (
        <ChangedFileView
          key={file.path}
          session={session.id}
          file={file}
          comments={comments.filter(({ anchor }) => anchor.path === file.path)}
          isOpen={total.added + total.removed <= OPEN_AT_FIRST}
          change={change}
        />
      ))}
      {homeless.map((draft) => (
        <WriteComment key={draft.id} draft={draft} place={null} change={change} />
      ))}
      {next !== null && (
        <button type="button" class="button" onClick={more}>
          Show more files
        </button>
      )}
    </section>
  );
}

interface SendCommentsProps {
  readonly session: SessionAnswer;
  readonly open: readonly Comment[];
  readonly done: () => void;
}

function SendComments({ session: { id, name, activity }, open, done }: SendCommentsProps) {
  const [busy, setBusy] = useState(false);
  async function send(): Promise<void> {
    setBusy(true);
    try {
      const answer = await tmpm.send({
        session: id,
        text: "",
        comments: true,
        no_wait: true,
        queue: activity.state !== "idle",
        idempotency_key: crypto.randomUUID(),
      });
      seen(answer.session);
      say(`${name}: ${receiptWords(answer.receipt).text}.`);
    } catch (error) {
      say(failureText(error), { tone: "error" });
    } finally {
      setBusy(false);
      done();
    }
  }
  return (
    <button type="button" class="button main" disabled={busy} onClick={() => void send()}>
      Send {open.length === 1 ? "the comment" : `${open.length} comments`}
    </button>
  );
}
