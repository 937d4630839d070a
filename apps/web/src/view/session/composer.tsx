import type { SessionAnswer } from "@tmpm/api";
import { hasCode } from "@tmpm/core/errors";
import { useEffect, useRef, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { now } from "../../state/clock.js";
import { type Draft, draftOf, withoutAttempt, withoutFile, withoutSent, withText } from "../../state/drafts.js";
import { isPhone } from "../../state/layout.js";
import { seen } from "../../state/sessions.js";
import { uploadFiles, uploadsOf } from "../../state/upload-files.js";
import { age } from "../../words/age.js";
import { failureText } from "../../words/failure-words.js";
import { receiptWords } from "../../words/receipt-words.js";
import { oneLine } from "../../words/shown.js";
import { sendsByEnter } from "./sends-by-enter.js";
import { type KeptSend, useSends } from "./use-sends.js";

/** The prompt editor: one text is one send, with a receipt. The text stays until the daemon has accepted it. */
export function Composer({ session }: { readonly session: SessionAnswer }) {
  const { id, name, activity } = session;
  const draft = draftOf(id);
  const { text, files } = draft.value;
  const uploading = uploadsOf(id).value;
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { sends, look } = useSends(id);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = field;
    if (current === null) return;
    current.style.height = "auto";
    current.style.height = `${Math.min(current.scrollHeight + 2, 240)}px`;
  }, [text]);

  const waits = activity.state !== "idle";
  async function send(): Promise<void> {
    // A prompt goes with its files, so it waits until they are there.
    if (busy || uploading.length > 0 || (text.trim() === "" && files.length === 0)) return;
    const attempt = draft.value.attempt ?? { key: crypto.randomUUID(), queue: waits };
    const sent: Draft = { ...draft.value, attempt };
    draft.value = sent;
    setBusy(true);
    setFailure(null);
    try {
      const attachments = sent.files.map(({ ref_id }) => ref_id);
      const answer = await tmpm.send({
        session: id,
        text: sent.text,
        no_wait: true,
        queue: attempt.queue,
        idempotency_key: attempt.key,
        ...(attachments.length === 0 ? {} : { attachments }),
      });
      seen(answer.session);
      if (answer.receipt.outcome === "refused") {
        // The key's response is this refusal for a day.
        draft.value = withoutAttempt(draft.value, attempt);
        return setFailure(receiptWords(answer.receipt).text);
      }
      draft.value = withoutSent(draft.value, sent);
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setBusy(false);
      look();
    }
  }

  const add = (list: FileList | null | undefined) => void uploadFiles(id, list ?? []);

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Sent sends={sends} session={id} look={look} failed={setFailure} />
      {failure !== null && (
        <p class="error" role="alert">
          {failure}
        </p>
      )}
      {files.length > 0 && (
        <ul class="files">
          {files.map(({ ref_id, filename }) => (
            <li key={ref_id}>
              {oneLine(filename)}
              <button
                type="button"
                class="link"
                aria-label={`Remove ${oneLine(filename)}`}
                onClick={() => {
                  draft.value = withoutFile(draft.value, ref_id);
                }}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {uploading.length > 0 && (
        <p class="soft" role="status">
          Uploading {uploading.map(oneLine).join(", ")}…
        </p>
      )}
      <div class="write">
        <textarea
          ref={field}
          id="composer"
          class="field"
          rows={1}
          aria-label={`Prompt for ${name}`}
          placeholder={placeholder(session)}
          value={text}
          onInput={({ currentTarget }) => {
            draft.value = withText(draft.value, currentTarget.value);
          }}
          onPaste={(event) => {
            if ((event.clipboardData?.files.length ?? 0) > 0) add(event.clipboardData?.files);
          }}
          onKeyDown={(event) => {
            if (!sendsByEnter(event, isPhone.value)) return;
            event.preventDefault();
            void send();
          }}
        />
        <button type="submit" class="button main" disabled={busy || uploading.length > 0}>
          {waits ? "Queue" : "Send"}
        </button>
      </div>
    </form>
  );
}

function placeholder({ name, activity, decision }: SessionAnswer): string {
  if (isPhone.value) return decision !== null ? "Prompt, after the answer" : "Prompt";
  if (decision !== null) return `Prompt for ${name}; it waits until the question is answered`;
  return activity.state === "idle" ? `Prompt for ${name}` : `Prompt for ${name}; it waits until the agent is ready`;
}

interface SentProps {
  readonly sends: readonly KeptSend[];
  readonly session: string;
  readonly look: () => void;
  readonly failed: (text: string) => void;
}

/** The last send, and all pending ones. */
function Sent({ sends, session, look, failed }: SentProps) {
  const [newest, ...older] = sends;
  const shown = newest === undefined ? [] : [newest, ...older.filter(({ done }) => !done)];
  const cancel = async (send: string) => {
    await tmpm.cancelSend({ session, send }).catch((error: unknown) => {
      if (!hasCode(error, "SEND_NOT_FOUND")) failed(failureText(error));
    });
    look();
  };
  return (
    <ul class="receipts" aria-live="polite">
      {shown.map(({ id, receipt, accepted_at, done }) => {
        const { sign, tone, text } = receiptWords(receipt);
        return (
          <li key={id} data-outcome={receipt.outcome}>
            <span class={tone} aria-hidden="true">
              {sign}
            </span>{" "}
            {text}{" "}
            <span class="soft">
              · {receipt.bytes} bytes, {age(accepted_at, now.value)} ago
            </span>
            {!done && (
              <button type="button" class="link" onClick={() => void cancel(id)}>
                Cancel
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
