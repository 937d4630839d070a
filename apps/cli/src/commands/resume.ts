import type { SessionAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { callersEnvironment } from "../input/callers-environment.js";
import { hostArgument } from "../input/host-argument.js";
import { renderLine } from "../render/line.js";
import { SESSION } from "./shared-arguments.js";

export const resume = command({
  name: "resume",
  group: "Start and end sessions",
  summary: "Launch the agent of a stopped session again",
  more: `It continues in the same directory, with the same conversation, on the same host; --host moves it to another. A paused session is released.

  tmpm resume demo
  tmpm resume demo --host pty`,
  args: { session: SESSION },
  options: {
    host: { takes: "text", label: "H", summary: "New host: tmux, pty or sdk" },
    recreate: { takes: "flag", summary: "Recreate its workspace, on its branch, if the directory is gone" },
  },
  async run({ session, host, recreate }, context): Promise<SessionAnswer> {
    return context.client().resume(
      {
        session,
        control: hostArgument(host),
        recreate: recreate || undefined,
        ...(await callersEnvironment(context)),
      },
      { timeoutMs: 120_000 },
    );
  },
  render: renderLine,
});
