import type { KeptSend, NodePrompt, SendAnswer, TurnAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import type { Decision } from "@tmpm/core";
import { command } from "../command.js";
import { keepForNode } from "../fleet/keep-for-node.js";
import { attachFiles } from "../input/attach-files.js";
import { promptText } from "../input/prompt-text.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { nodePromptExit, nodePromptLine, nodePromptNotes } from "../render/node-prompts.js";
import { oneLine } from "../render/one-line.js";
import { receiptExit, receiptLine, receiptNotes } from "../render/receipt.js";
import { finalText, turnExit, turnLine } from "../render/turn.js";
import { followTurn } from "../terminal/follow-turn.js";
import { printWaiting } from "../terminal/send-progress.js";
import { SESSION } from "./shared-arguments.js";

/** Covers the agent's start, typing and confirmation, plus a second per 50 kB of text. */
export function typingMs(text: string): number {
  return 130_000 + text.length / 50;
}

/** A new send, or an earlier one. */
type SendResult =
  | { readonly kind: "sent"; readonly answer: SendAnswer; readonly timed: boolean }
  | { readonly kind: "followed"; readonly name: string; readonly answer: TurnAnswer }
  /** The turn continues once this is answered. */
  | { readonly kind: "asks"; readonly name: string; readonly answer: TurnAnswer; readonly decision: Decision | null }
  | { readonly kind: "earlier"; readonly name: string; readonly answer: KeptSend }
  /** Kept here until the session's machine answers. */
  | { readonly kind: "kept"; readonly answer: NodePrompt };

const NEW = "a new send";
const WAITING = "--when-online";
const AT_ONCE = "a send without --when-online";

export const send = command({
  name: "send",
  group: "Send prompts and answers",
  summary: "Type text into a session and press Enter",
  more: [
    "Words are joined with single spaces. Put -- before text that begins with a dash. Exits with status 7 if the text's arrival could not be confirmed.",
    "With --follow, exits with status 8 as soon as the agent asks a question; `tmpm turns SESSION TURN --wait` follows the turn from there.",
    "",
    "Examples:",
    '  tmpm send demo "Run the tests and fix what fails"',
    "  git diff | tmpm send demo -",
    "  tmpm send demo --file task.md --queue",
    "  tmpm send demo --attach screenshot.png What is wrong here?",
    "  tmpm send demo --comments",
    "  tmpm send demo --follow What does this repository do?",
    "  tmpm send demo --interrupt Stop. Look at the other file first.",
    '  tmpm send build1:demo --when-online --expires 2h "Run the tests"',
  ].join("\n"),
  args: { session: SESSION, text: { takes: "any", mayBeEmpty: true, label: "TEXT", summary: "Text to send; - reads standard input" } },
  options: {
    file: { takes: "text", label: "F", summary: "Send the contents of a file, byte for byte" },
    promptFile: { takes: "text", label: "F", summary: "The same as --file" },
    attach: { takes: "texts", label: "FILE", summary: "Upload a file and append its path to the text; repeatable" },
    comments: { takes: "flag", summary: "Send the open comments of `tmpm comment`, before TEXT if given" },
    queue: { takes: "flag", summary: "Queue in the background until the session is ready" },
    follow: { takes: "flag", summary: "Wait for the turn to end, print the agent's last words, and exit by its outcome" },
    noWait: { takes: "flag", summary: "Do not wait for the outcome" },
    timeout: { takes: "seconds", label: "SECONDS", summary: "Time to wait for the session to be ready" },
    interrupt: { takes: "flag", summary: "Interrupt the running turn first" },
    now: { takes: "flag", summary: "Send even if the session is not ready for input" },
    asCommand: { takes: "flag", summary: "The text is a command of the agent, such as /clear" },
    whenOnline: {
      takes: "flag",
      summary: "If the session's machine does not answer, queue it there once it does; see `tmpm nodes waiting`",
    },
    expires: { takes: "text", label: "TIME", summary: "--when-online: give up after this time, such as 15m (default: 1h, at most 12h)" },
    key: { takes: "text", label: "K", summary: "Idempotency key: never sent twice" },
    receipt: {
      takes: "text",
      label: "SEND",
      summary: "Show the outcome of an earlier send instead of sending",
      completes: { kind: "sends" },
    },
    cancel: {
      takes: "text",
      label: "SEND",
      summary: "Cancel a held send, or remove its text from the input",
      completes: { kind: "sends" },
    },
  },
  printed: answersOf("send", "receipt", "turn", "addNodePrompt"),
  modes: [
    {
      of: ({ receipt, cancel }) => (receipt !== undefined ? "--receipt" : cancel !== undefined ? "--cancel" : NEW),
      takenBy: {
        ...{ text: [NEW], file: [NEW], promptFile: [NEW], attach: [NEW], comments: [NEW], queue: [NEW], follow: [NEW] },
        ...{ noWait: [NEW], timeout: [NEW], interrupt: [NEW], now: [NEW], asCommand: [NEW], whenOnline: [NEW], key: [NEW] },
      },
    },
    {
      of: ({ whenOnline }) => (whenOnline ? WAITING : AT_ONCE),
      takenBy: {
        ...{ attach: [AT_ONCE], comments: [AT_ONCE], follow: [AT_ONCE], noWait: [AT_ONCE], timeout: [AT_ONCE] },
        ...{ interrupt: [AT_ONCE], now: [AT_ONCE], asCommand: [AT_ONCE], expires: [WAITING] },
      },
    },
  ],
  async run(input, context): Promise<SendResult> {
    const { session, receipt, cancel, timeout } = input;
    if (input.follow && input.noWait) throw usageError("--follow and --no-wait are mutually exclusive", "Give one of them.");
    const client = context.client();
    if (receipt !== undefined || cancel !== undefined) return earlier(client, { session, receipt, cancel });
    const text = await textOf(input);
    if (input.whenOnline)
      return { kind: "kept", answer: await keepForNode(context, { session, text, expires: input.expires, key: input.key }) };
    const attached = await attachFiles(client, { session, files: input.attach, quiet: context.json });
    const body = {
      session,
      text,
      attachments: attached.refs.length === 0 ? undefined : [...attached.refs],
      comments: input.comments || undefined,
      now: input.now || undefined,
      queue: input.queue || undefined,
      no_wait: input.noWait || undefined,
      timeout_ms: timeout === undefined ? undefined : Math.round(timeout * 1000),
      interrupt: input.interrupt || undefined,
      as_command: input.asCommand || undefined,
      idempotency_key: input.key,
    };
    const sending = client.send(body, { timeoutMs: typingMs(text) + (timeout ?? 0) * 1000 });
    const answer = await attached.orTakeBack(printWaiting(sending, { client, session, quiet: context.json }));
    const turn = answer.receipt.id;
    if (!input.follow || turn === null) return { kind: "sent", answer, timed: timeout !== undefined };
    return followed(client, { name: answer.session.name, session, turn, quiet: context.json });
  },
  render(result, view) {
    if (result.kind === "asks") return "";
    if (result.kind === "kept") return nodePromptLine(result.answer);
    return result.kind === "followed" ? finalText(result.name, result.answer, view) : receiptLine(nameOf(result), result.answer.receipt);
  },
  json: ({ answer }) => JSON.stringify(answer),
  notes(result) {
    if (result.kind === "asks") return askedNotes(result);
    if (result.kind === "kept") return nodePromptNotes(result.answer);
    return result.kind === "followed" ? followedNotes(result) : receiptNotes(nameOf(result), result.answer.receipt);
  },
  exit(result) {
    if (result.kind === "followed" || result.kind === "asks") return turnExit(result.answer);
    if (result.kind === "kept") return nodePromptExit(result.answer);
    return receiptExit(result.answer.receipt, { timed: result.kind === "sent" && result.timed });
  },
});

interface Followed {
  readonly name: string;
  readonly session: string;
  readonly turn: string;
  readonly quiet: boolean;
}

async function followed(client: Client, { name, session, turn, quiet }: Followed): Promise<SendResult> {
  const answer = await followTurn(client, { session, turn, quiet, untilAsked: true });
  if (answer.state === "ended") return { kind: "followed", name, answer };
  const { decision } = await client.show({ session });
  return { kind: "asks", name, answer, decision };
}

interface TextInput {
  readonly comments: boolean;
  readonly attach: readonly string[];
  readonly text: readonly string[];
  readonly file: string | undefined;
  readonly promptFile: string | undefined;
}

async function textOf({ comments, attach, text: words, file, promptFile }: TextInput): Promise<string> {
  if (file !== undefined && promptFile !== undefined) throw usageError("the text is given twice", "Give one of --file and --prompt-file.");
  const text = await promptText({ words, file: file ?? promptFile });
  if (text !== null) return text;
  if (attach.length > 0 || comments) return "";
  throw usageError("the text is missing", "Give it as TEXT, with --file, or as - for standard input.");
}

interface EarlierInput {
  readonly session: string;
  readonly receipt: string | undefined;
  readonly cancel: string | undefined;
}

async function earlier(client: Client, { session, receipt, cancel }: EarlierInput): Promise<SendResult> {
  if (receipt !== undefined && cancel !== undefined) throw usageError("--receipt and --cancel are mutually exclusive", "Give one of them.");
  const answer =
    cancel === undefined ? await client.receipt({ session, send: receipt ?? "" }) : await client.cancelSend({ session, send: cancel });
  return { kind: "earlier", name: session, answer };
}

/** Only the agent's words go to standard output; the outcome goes to standard error. */
function followedNotes({ name, answer }: Extract<SendResult, { kind: "followed" }>): readonly string[] {
  return answer.final_message === null ? [] : [turnLine(name, answer, { now: Date.now() })];
}

/** The question, how to answer it, and how to follow the turn from there. */
function askedNotes({ name, answer, decision }: Extract<SendResult, { kind: "asks" }>): readonly string[] {
  const how = decision?.kind === "approval" ? `\`tmpm approve ${name}\` or \`tmpm deny ${name}\`` : `\`tmpm answer ${name} --choice N\``;
  return [
    `${name}: the agent asks${decision === null ? " a question" : `: ${oneLine(decision.subject)}`}`,
    ...(decision?.choices ?? []).map(({ label }, index) => `  ${index + 1}. ${oneLine(label)}`),
    `answer it with ${how}, then \`tmpm turns ${name} ${answer.id.slice(0, 8)} --wait\` waits for the end of the turn`,
  ];
}

function nameOf(result: Extract<SendResult, { kind: "sent" | "earlier" }>): string {
  return result.kind === "sent" ? result.answer.session.name : result.name;
}
