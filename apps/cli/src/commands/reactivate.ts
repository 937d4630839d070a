import type { SessionAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { renderLine } from "../render/line.js";
import { SESSION } from "./shared-arguments.js";

export const reactivate = command({
  name: "reactivate",
  summary: "Take a removed or archived session back into the list",
  more: `It can be resumed then. Where a live session has its name by now, name it by its id and give it another.

  tmpm reactivate web
  tmpm reactivate 3f2a --name web-old`,
  args: { session: SESSION },
  options: { name: { takes: "text", label: "NAME", summary: "Another name for it" } },
  async run({ session, name }, context): Promise<SessionAnswer> {
    return context.client().reactivate({ session, name });
  },
  render: renderLine,
});
