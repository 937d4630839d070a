import type { PauseAnswer } from "@tmpm/api";
import { ERRORS, visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { renderLine } from "../render/line.js";
import { SESSION } from "./shared-arguments.js";

export const pause = command({
  name: "pause",
  group: "Send prompts and answers",
  summary: "Hold all input to a session",
  more: `Its program keeps running; prompts are held until \`tmpm resume\`.

  tmpm pause web
  tmpm pause web --summary 'tests pass, docs remain'`,
  args: { session: SESSION },
  options: {
    summary: { takes: "text", mayBeEmpty: true, label: "TEXT", summary: "Note on the state of the work, saved with the session" },
    interrupt: { takes: "flag", summary: "Also interrupt the running turn" },
  },
  async run({ session, summary, interrupt }, context): Promise<PauseAnswer> {
    return context.client().pause({ session, summary, interrupt: interrupt || undefined });
  },
  render: (answer) => renderLine(answer),
  notes: ({ interrupt }) =>
    interrupt?.outcome === "refused" || interrupt?.outcome === "unconfirmed"
      ? [visibleText(`it was not interrupted: ${interrupt.evidence.join("; ")}`)]
      : [],
  exit: ({ interrupt }) => (interrupt?.outcome === "unconfirmed" ? ERRORS.UNCONFIRMED.exit : 0),
});
