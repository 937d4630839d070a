import type { Output } from "@tmpm/api";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { attachTo } from "../terminal/attach-to.js";
import { requireTerminal } from "../terminal/terminal.js";
import { SESSION } from "./shared-arguments.js";

/** The exit status of the attached command, or the daemon's response if only that was requested. */
type Attached = { readonly status: number } | { readonly answer: Output<"attach"> };

export const attach = command({
  name: "attach",
  group: "Observe",
  summary: "Show a session in this terminal",
  more: `Detach with its host's keys, and it keeps running: in tmux the prefix key, then d; on tmpm's own PTYs Ctrl-\\ twice. If others are
attached already, their size is kept unless --resize is given. Inside tmpm's own tmux the terminal switches to the session, and the prefix key,
then L, switches back; inside any other tmux the two are nested. With --json the attach command is printed, not run. See docs/attach.md.

  tmpm attach demo
  tmpm attach demo --read-only   watch only`,
  args: { session: SESSION },
  options: {
    readOnly: { takes: "flag", summary: "Watch only: input is ignored and the size is not changed" },
    resize: { takes: "flag", summary: "Use this terminal's size even if others are attached" },
  },
  async run({ session, readOnly, resize }, context): Promise<Attached> {
    if (readOnly && resize) throw usageError("--read-only and --resize are mutually exclusive", "Give one of them.");
    if (!context.json) {
      requireTerminal();
      return { status: await attachTo(context.client(), { session, readOnly, resize, context }) };
    }
    return { answer: await context.client().attach({ session, read_only: readOnly || undefined, resize: resize || undefined }) };
  },
  render: () => "",
  json: (attached) => ("answer" in attached ? JSON.stringify(attached.answer) : ""),
  exit: (attached) => ("status" in attached ? attached.status : 0),
});
