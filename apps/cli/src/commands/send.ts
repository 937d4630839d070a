import type { SendAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { promptText } from "../prompt-text.js";
import { receiptExit, receiptLine } from "../render/receipt.js";
import { usageError } from "../usage-error.js";
import { SESSION } from "./shared-arguments.js";

/** Time for the daemon to type and to see what became of it, and for long texts a second more per 50 kB. */
export function typingMs(text: string): number {
  return 60_000 + text.length / 50;
}

export const send = command({
  name: "send",
  summary: "Type text into a session and press Enter",
  more: "Words are joined with single spaces. Put -- before text that begins with a dash. A text that was not seen to arrive exits with status 7.",
  args: { session: SESSION, text: { takes: "any", label: "TEXT", summary: "What to send; - reads standard input" } },
  options: {
    promptFile: { takes: "text", label: "F", summary: "Send what this file holds, byte for byte" },
    now: { takes: "flag", summary: "Send even if the session is not ready for input" },
  },
  async run({ session, text: words, promptFile, now }, context): Promise<SendAnswer> {
    const text = await promptText({ words, file: promptFile });
    if (text === null) throw usageError("there is no text to send", "Give it as TEXT, with --prompt-file, or as - for standard input.");
    return context.client().send({ session, text, now: now || undefined }, { timeoutMs: typingMs(text) });
  },
  render: ({ session, receipt }) => receiptLine(session.name, receipt),
  exit: ({ receipt }) => receiptExit(receipt),
});
