import type { SessionAnswer } from "@tmpm/api";
import { anyAgentEnv } from "@tmpm/core";
import { command } from "../command.js";
import { newDefaults } from "../new-defaults.js";
import { renderLine } from "../render/line.js";
import { SESSION } from "./shared-arguments.js";

export const resume = command({
  name: "resume",
  summary: "Launch the agent of a stopped session again",
  more: `It goes on in the same directory, with the same conversation. A session that is paused goes on as it was.

  tmpm resume demo`,
  args: { session: SESSION },
  options: {},
  async run({ session }, context): Promise<SessionAnswer> {
    return context
      .client()
      .resume(
        { session, search_path: context.env.PATH, env: anyAgentEnv((await newDefaults(context.env, null)).env) },
        { timeoutMs: 120_000 },
      );
  },
  render: renderLine,
});
