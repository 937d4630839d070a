import type { ReportAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { speakingAs } from "../input/acting-client.js";
import { usageError } from "../parse/usage-error.js";
import { oneLine } from "../render/one-line.js";
import { SPEAKER } from "./shared-arguments.js";

export const report = command({
  name: "report",
  group: "Send prompts and answers",
  summary: "Report from inside a session, to the session that started it or to you",
  more: `Agents and their scripts call it in their own session. It sends no prompt: \`tmpm inbox\`, \`tmpm show\` and the tools of the parent show it.
Words are joined with single spaces. Without --done or --blocked it is a note.

  tmpm report --session demo --done --artifact src/login.ts The login works, with tests.
  tmpm report --session demo --blocked The tests need a network.`,
  args: { text: { takes: "any", mayBeEmpty: true, label: "TEXT", summary: "The report's text" } },
  options: {
    done: { takes: "flag", summary: "The work is done" },
    blocked: { takes: "flag", summary: "The work is blocked" },
    artifact: { takes: "texts", label: "NAME", summary: "A related file, branch or address; repeatable" },
    session: SPEAKER,
  },
  async run({ text, done, blocked, artifact, session }, context): Promise<ReportAnswer> {
    if (done && blocked) throw usageError("--done and --blocked are mutually exclusive", "Give one of them.");
    const words = text.join(" ").trim();
    if (words === "") throw usageError("the report is empty", "Add the report's text.");
    const speaking = speakingAs(session, context);
    const kind = done ? "done" : blocked ? "blocked" : "note";
    return speaking.client.report({ session: speaking.session, kind, text: words, artifacts: [...artifact] });
  },
  render: ({ session, kind, to }) => oneLine(`${session}: reported ${kind} to ${to === null ? "you" : `session ${to.slice(0, 8)}`}`),
});
