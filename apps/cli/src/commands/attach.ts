import type { Output } from "@tmpm/api";
import { command } from "../command.js";
import { attachTerminal, requireTerminal } from "../terminal.js";
import { SESSION } from "./shared-arguments.js";

interface Attached {
  readonly answer: Output<"attach">;
  /** The status of the command that was attached; null when it was only asked for. */
  readonly status: number | null;
}

export const attach = command({
  name: "attach",
  summary: "Show a session in this terminal",
  more: "Detach with tmux's own keys: the prefix key, then d; the session keeps running. With --json the command that attaches is printed, not run.",
  args: { session: SESSION },
  options: {},
  async run({ session }, context): Promise<Attached> {
    if (!context.json) requireTerminal();
    const answer = await context.client().attach({ session });
    return { answer, status: context.json ? null : await attachTerminal(answer.argv, context.env) };
  },
  render: () => "",
  json: ({ answer }) => JSON.stringify(answer),
  exit: ({ status }) => status ?? 0,
});
