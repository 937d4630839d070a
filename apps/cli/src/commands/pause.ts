import type { PauseAnswer } from "@tmpm/api";
import { ERRORS, visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { renderLine } from "../render/line.js";
import { SESSION } from "./shared-arguments.js";

export const pause = command({
  name: "pause",
  summary: "Hold everything that would be typed into a session",
  more: `Its program runs on; what is sent is held until \`tmpm resume\`.

  tmpm pause web
  tmpm pause web --summary 'tests are green, docs are left'`,
  args: { session: SESSION },
  options: {
    summary: { takes: "text", label: "TEXT", summary: "Where the work stands, kept with the session" },
    interrupt: { takes: "flag", summary: "Also break off what it does now" },
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
