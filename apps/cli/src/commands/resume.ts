import type { SessionAnswer } from "@tmpm/api";
import { anyAgentEnv } from "@tmpm/core";
import { command } from "../command.js";
import { hostArgument } from "../host-argument.js";
import { newDefaults } from "../new-defaults.js";
import { renderLine } from "../render/line.js";
import { SESSION } from "./shared-arguments.js";

export const resume = command({
  name: "resume",
  summary: "Launch the agent of a stopped session again",
  more: `It goes on in the same directory, with the same conversation, and on the host that it was on; --host moves it to another one. A session that is paused goes on
as it was.

  tmpm resume demo
  tmpm resume demo --host pty`,
  args: { session: SESSION },
  options: { host: { takes: "text", label: "H", summary: "What holds it from now on: tmux, pty or sdk" } },
  async run({ session, host }, context): Promise<SessionAnswer> {
    return context.client().resume(
      {
        session,
        control: hostArgument(host),
        search_path: context.env.PATH,
        env: anyAgentEnv((await newDefaults(context.env, null)).env),
      },
      { timeoutMs: 120_000 },
    );
  },
  render: renderLine,
});
