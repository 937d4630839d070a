import type { SessionAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { renderLine } from "../render/line.js";
import { SESSION } from "./shared-arguments.js";

export const reactivate = command({
  name: "reactivate",
  group: "Start and end sessions",
  summary: "Return a removed or archived session to the list",
  more: `It can then be resumed. If a live session has its name, give its id and a new name.

  tmpm reactivate web
  tmpm reactivate 3f2a --name web-old`,
  args: { session: SESSION },
  options: { name: { takes: "text", label: "NAME", summary: "New name" } },
  async run({ session, name }, context): Promise<SessionAnswer> {
    return context.client().reactivate({ session, name });
  },
  render: renderLine,
});
