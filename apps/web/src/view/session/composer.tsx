import type { SessionAnswer, UploadAnswer } from "@tmpm/api";
import { hasCode } from "@tmpm/core/errors";
import { useEffect, useRef, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { now } from "../../state/clock.js";
import { type Draft, loadDraft, storeDraft, withText } from "../../state/drafts.js";
import { isPhone } from "../../state/layout.js";
import { seen } from "../../state/sessions.js";
import { age } from "../../words/age.js";
import { failureText } from "../../words/failure-words.js";
import { receiptWords } from "../../words/receipt-words.js";
import { oneLine } from "../../words/shown.js";
import { type KeptSend, useSends } from "./use-sends.js";

/** The prompt editor: one text is one send, with a receipt. The text stays until the daemon has accepted it. */
export function Composer({ session }: { readonly session: SessionAnswer }) {
  const { id, name, activity } = session;
  const [draft, setDraft] = useState<Draft>(() => loadDraft(id));
  const [files, setFiles] = useState<readonly UploadAnswer[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { sends, look } = useSends(id);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => storeDraft(id, draft), [id, draft]);
  useEffect(() => {
    const { current } = field;
    if (current === null) return;
    current.style.height = "auto";
    current.style.height = `${Math.min(current.scrollHeight + 2, 240)}px`;
  }, [draft.text]);

  const waits = activity.state !== "idle";
  async function send(): Promise<void> {
    if (busy || (draft.text.trim() === "" && files.length === 0)) return;
    const key = draft.key ?? crypto.randomUUID();
    setDraft({ ...draft, key });
    setBusy(true);
    setFailure(null);
    try {
      const attachments = files.map(({ ref_id }) => ref_id);
      const answer = await tmpm.send({
        session: id,
        text: draft.text,
        no_wait: true,
        queue: waits,
        idempotency_key: key,
        ...(attachments.length === 0 ? {} : { attachments }),
      });
      seen(answer.session);
      if (answer.receipt.outcome === "refused") return setFailure(receiptWords(answer.receipt).text);
      setDraft({ text: "", key: null });
      setFiles([]);
    } catch (error) {
      setFailure(failureText(error));
    } finally {
      setBusy(false);
      look();
    }
  }

  async function add(list: FileList | null): Promise<void> {
    for (const file of list ?? []) {
      try {
        const added = await tmpm.upload({ session: id, filename: file.name, bytes: file });
        setFiles((all) => [...all.filter(({ ref_id }) => ref_id !== added.ref_id), added]);
      } catch (error) {
        setFailure(`${oneLine(file.name)}: ${failureText(error)}`);
      }
    }
  }

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void add(event.dataTransfer?.files ?? null);
      }}
    >
      <Sent sends={sends} session={id} look={look} />
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
                aria-label={`Leave out ${oneLine(filename)}`}
                onClick={() => setFiles(files.filter((file) => file.ref_id !== ref_id))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="write">
        <textarea
          ref={field}
          id="composer"
          class="field"
          rows={1}
          aria-label={`Prompt for ${name}`}
          placeholder={placeholder(session)}
          value={draft.text}
          onInput={({ currentTarget }) => setDraft(withText(draft, currentTarget.value))}
          onPaste={(event) => {
            if ((event.clipboardData?.files.length ?? 0) > 0) void add(event.clipboardData?.files ?? null);
          }}
          onKeyDown={(event) => {
            // On touch devices Enter is a new line: a button sends.
            const sends =
              event.key === "Enter" && !event.shiftKey && !event.isComposing && (!isPhone.value || event.ctrlKey || event.metaKey);
            if (!sends) return;
            event.preventDefault();
            void send();
          }}
        />
        <button type="submit" class="button main" disabled={busy}>
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
}

/** The last send, and all pending ones. */
function Sent({ sends, session, look }: SentProps) {
  const [newest, ...older] = sends;
  const shown = newest === undefined ? [] : [newest, ...older.filter(({ done }) => !done)];
  const cancel = async (send: string) => {
    await tmpm.cancelSend({ session, send }).catch((error: unknown) => {
      if (!hasCode(error, "SEND_NOT_FOUND")) throw error;
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
