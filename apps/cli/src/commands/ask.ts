import type { AskedAnswer } from "@tmpm/api";
import { ERRORS, TmpmError } from "@tmpm/core";
import { command } from "../command.js";
import { type Speaking, speakingAs } from "../input/acting-client.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { answerText } from "../render/message.js";
import { oneLine } from "../render/one-line.js";
import { SPEAKER } from "./shared-arguments.js";

/** Maximum wait of one request to the daemon. */
const SLICE_MS = 15_000;
const ANSWER_MS = 15_000;

interface Result extends AskedAnswer {
  /** Withdrawn while this command waited for the answer. */
  readonly withdrawn: boolean;
}

export const ask = command({
  name: "ask",
  group: "Send prompts and answers",
  summary: "Ask the user from inside a session, and print the answer",
  more: `Agents and their scripts call it in their own session. The question shows in \`tmpm next\`, \`tmpm ls\` and \`tmpm inbox\`, and is answered with \`tmpm answer\`.
Words are joined with single spaces. It waits for the answer; with --timeout it gives up after that time with status 5, and the question stays open.
If the command no longer waits, the answer reaches the agent as a prompt. Asking the same question again resumes waiting.

  tmpm ask --session demo --offer SQLite --offer PostgreSQL Which database?
  tmpm ask --session demo --timeout 0 May I change the public API?`,
  args: { question: { takes: "any", mayBeEmpty: true, label: "QUESTION", summary: "Text of the question" } },
  options: {
    offer: { takes: "texts", label: "TEXT", summary: "An answer to choose from; repeatable" },
    timeout: { takes: "seconds", label: "SECONDS", summary: "Give up after this time, in seconds" },
    withdraw: { takes: "text", label: "ID", summary: "Withdraw the question with this id instead" },
    session: SPEAKER,
  },
  printed: answersOf("question", "withdrawQuestion"),
  modes: [
    {
      of: ({ withdraw }) => (withdraw === undefined ? "a question" : "--withdraw"),
      takenBy: { offer: ["a question"], timeout: ["a question"] },
    },
  ],
  async run({ question, offer, timeout, withdraw, session }, context): Promise<Result> {
    const speaking = speakingAs(session, context);
    if (withdraw !== undefined) {
      if (question.length > 0) throw usageError("--withdraw does not accept a question", "Give one of them.");
      return { ...(await speaking.client.withdrawQuestion({ session: speaking.session, question: withdraw })), withdrawn: false };
    }
    const text = question.join(" ").trim();
    if (text === "") throw usageError("the question is empty", "Add the question's text.");
    const asked = await speaking.client.ask({ session: speaking.session, question: text, choices: [...offer] });
    const found = await answered(speaking, { asked, deadline: timeout === undefined ? null : Date.now() + timeout * 1000 });
    return { ...found, withdrawn: found.answer === null };
  },
  render: (asked) => (asked.answer === null ? "" : answerText(asked)),
  notes: (asked) => (asked.withdrawn_at === null || asked.answer !== null ? [] : [`question ${asked.id.slice(0, 8)} was withdrawn`]),
  exit: (asked) => (asked.withdrawn ? ERRORS.INVALID_STATE.exit : 0),
  json: ({ withdrawn: _, ...asked }) => JSON.stringify(asked),
});

async function answered(
  { client, session }: Speaking,
  { asked, deadline }: { readonly asked: AskedAnswer; readonly deadline: number | null },
): Promise<AskedAnswer> {
  for (;;) {
    const left = deadline === null ? SLICE_MS : Math.min(SLICE_MS, Math.max(0, deadline - Date.now()));
    const slice = { session, question: asked.id, wait_ms: Math.ceil(left) };
    const found = await client.question(slice, { timeoutMs: left + ANSWER_MS });
    if (found.answer !== null || found.withdrawn_at !== null) return found;
    if (deadline !== null && Date.now() >= deadline) throw notYet(found);
  }
}

function notYet({ id, session }: AskedAnswer): TmpmError {
  return new TmpmError("TIMEOUT", `the question of session ${oneLine(session)} was not answered in time`, {
    hint: `It stays open: ask it again to keep waiting, or withdraw it with \`tmpm ask --withdraw ${id.slice(0, 8)}\`.`,
    details: { question: id },
  });
}
