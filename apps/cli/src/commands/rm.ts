import { command } from "../command.js";
import { eachSession, outcomeNotes, outcomesExit, outcomesJson, outcomesText } from "../each-session.js";
import { SESSIONS } from "./shared-arguments.js";

export const rm = command({
  name: "rm",
  summary: "Remove sessions; their directories stay",
  more: "A running session is stopped first. With --json one line is printed per session.",
  args: { sessions: SESSIONS },
  options: {},
  async run({ sessions }, context) {
    const client = context.client();
    return eachSession(sessions, (session) => client.remove({ session }, { timeoutMs: 120_000 }));
  },
  render: (outcomes) => outcomesText(outcomes, "removed"),
  json: outcomesJson,
  notes: outcomeNotes,
  exit: outcomesExit,
});
