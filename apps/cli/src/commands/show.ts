import type { SessionAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { renderSession } from "../render/session.js";
import { SESSION } from "./shared-arguments.js";

export const show = command({
  name: "show",
  summary: "Show everything known about a session",
  more: `  tmpm show demo
  tmpm show demo --json | jq .activity`,
  args: { session: SESSION },
  options: {},
  async run({ session }, context): Promise<SessionAnswer> {
    return context.client().show({ session });
  },
  render: renderSession,
});
