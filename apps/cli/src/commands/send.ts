import type { KeptSend, SendAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { command } from "../command.js";
import { promptText } from "../prompt-text.js";
import { receiptExit, receiptLine, receiptNotes } from "../render/receipt.js";
import { tellWaiting } from "../send-progress.js";
import { usageError } from "../usage-error.js";
import { SESSION } from "./shared-arguments.js";

/** Time for an agent to start, for the daemon to type and to see what became of it, and for long texts a second more per 50 kB. */
export function typingMs(text: string): number {
  return 130_000 + text.length / 50;
}

/** A new send, or one that was made before. */
type Told =
  | { readonly kind: "sent"; readonly answer: SendAnswer; readonly timed: boolean }
  | { readonly kind: "earlier"; readonly name: string; readonly answer: KeptSend };

export const send = command({
  name: "send",
  summary: "Type text into a session and press Enter",
  more: [
    "Words are joined with single spaces. Put -- before text that begins with a dash. A text that was not seen to arrive exits with status 7.",
    "",
    "Examples:",
    '  tmpm send demo "Run the tests and fix what fails"',
    "  git diff | tmpm send demo -",
    "  tmpm send demo --file task.md --queue",
    "  tmpm send demo --interrupt Stop. Look at the other file first.",
  ].join("\n"),
  args: { session: SESSION, text: { takes: "any", label: "TEXT", summary: "What to send; - reads standard input" } },
  options: {
    file: { takes: "text", label: "F", summary: "Send what this file holds, byte for byte" },
    promptFile: { takes: "text", label: "F", summary: "The same as --file" },
    queue: { takes: "flag", summary: "Wait in the background for the session to be ready, as long as it takes" },
    noWait: { takes: "flag", summary: "Do not wait for what becomes of it" },
    timeout: { takes: "seconds", label: "SECONDS", summary: "How long the session may take to be ready" },
    interrupt: { takes: "flag", summary: "Break off what the agent does now" },
    now: { takes: "flag", summary: "Send even if the session is not ready for input" },
    asCommand: { takes: "flag", summary: "A / or ! at the beginning is meant as the agent's own command" },
    key: { takes: "text", label: "K", summary: "Never send twice under the same key" },
    receipt: { takes: "text", label: "SEND", summary: "Send nothing; tell what became of an earlier send" },
    cancel: { takes: "text", label: "SEND", summary: "Take back a send that is held" },
  },
  async run(input, context): Promise<Told> {
    const { session, receipt, cancel, timeout } = input;
    const client = context.client();
    if (receipt !== undefined || cancel !== undefined) return earlier(client, { session, receipt, cancel });
    const text = await textOf(input);
    const body = {
      session,
      text,
      now: input.now || undefined,
      queue: input.queue || undefined,
      no_wait: input.noWait || undefined,
      timeout_ms: timeout === undefined ? undefined : Math.round(timeout * 1000),
      interrupt: input.interrupt || undefined,
      as_command: input.asCommand || undefined,
      idempotency_key: input.key,
    };
    const answer = await tellWaiting(client.send(body, { timeoutMs: typingMs(text) + (timeout ?? 0) * 1000 }), {
      client,
      session,
      quiet: context.json,
    });
    return { kind: "sent", answer, timed: timeout !== undefined };
  },
  render: (told) => receiptLine(nameOf(told), told.answer.receipt),
  json: ({ answer }) => JSON.stringify(answer),
  notes: (told) => receiptNotes(nameOf(told), told.answer.receipt),
  exit: (told) => receiptExit(told.answer.receipt, { timed: told.kind === "sent" && told.timed }),
});

interface TextInput {
  readonly text: readonly string[];
  readonly file: string | undefined;
  readonly promptFile: string | undefined;
}

async function textOf({ text: words, file, promptFile }: TextInput): Promise<string> {
  if (file !== undefined && promptFile !== undefined) throw usageError("the text is given twice", "Give one of --file and --prompt-file.");
  const text = await promptText({ words, file: file ?? promptFile });
  if (text !== null) return text;
  throw usageError("there is no text to send", "Give it as TEXT, with --file, or as - for standard input.");
}

interface EarlierInput {
  readonly session: string;
  readonly receipt: string | undefined;
  readonly cancel: string | undefined;
}

async function earlier(client: Client, { session, receipt, cancel }: EarlierInput): Promise<Told> {
  if (receipt !== undefined && cancel !== undefined) throw usageError("--receipt and --cancel exclude each other", "Give one of them.");
  const answer =
    cancel === undefined ? await client.receipt({ session, send: receipt ?? "" }) : await client.cancelSend({ session, send: cancel });
  return { kind: "earlier", name: session, answer };
}

function nameOf(told: Told): string {
  return told.kind === "sent" ? told.answer.session.name : told.name;
}
