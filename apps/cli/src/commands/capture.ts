import type { ScreenAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { SESSION } from "./shared-arguments.js";

export const capture = command({
  name: "capture",
  summary: "Print a session's screen",
  args: { session: SESSION },
  options: { history: { takes: "count", label: "N", summary: "Begin N lines further up in the scrollback" } },
  async run({ session, history }, context): Promise<ScreenAnswer> {
    return context.client().capture({ session, history });
  },
  render: ({ lines }) => lines.map(visibleText).join("\n").replace(/\n+$/, ""),
  notes: ({ live }) => (live ? [] : ["these are the last lines of a session that has ended"]),
});
