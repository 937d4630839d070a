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
  more: `Detach with the keys of what holds it, and it keeps running: in tmux the prefix key, then d; on a PTY of tmpm's own Ctrl-\\ twice. With --json the
command that attaches is printed, not run.

  tmpm attach demo`,
  args: { session: SESSION },
  options: { readOnly: { takes: "flag", summary: "Only watch: what is typed goes nowhere" } },
  async run({ session, readOnly }, context): Promise<Attached> {
    if (!context.json) requireTerminal();
    const answer = await context.client().attach({ session, read_only: readOnly || undefined });
    return { answer, status: context.json ? null : await attachTerminal(answer, context.env) };
  },
  render: () => "",
  json: ({ answer }) => JSON.stringify(answer),
  exit: ({ status }) => status ?? 0,
});
