import { command } from "../command.js";
import { reportHook } from "../daemon/report-hook.js";

export const hook = command({
  name: "hook",
  group: "Set up tmpm",
  summary: "Report an agent's event to the daemon; called by agents",
  more: `Reads the event as JSON from standard input. The session and its token come from the agent's environment
(TMPM_SESSION_ID, TMPM_SESSION_TOKEN, TMPM_SOCKET). Prints nothing, takes a second at most, and always exits with status 0.

  echo '{"hook_event_name":"Stop"}' | tmpm hook`,
  args: {},
  options: {},
  printed: { forms: [{ type: "object" }] },
  async run(_input, { env }): Promise<Record<never, never>> {
    await reportHook({ env, input: process.stdin, calledMsAgo: performance.now() });
    return {};
  },
  render: () => "",
});
