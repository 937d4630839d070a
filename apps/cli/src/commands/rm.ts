import { command } from "../command.js";
import { eachSession, outcomeNotes, outcomesExit, outcomesJson, outcomesText } from "../each-session.js";
import { SESSIONS } from "./shared-arguments.js";

export const rm = command({
  name: "rm",
  summary: "Remove sessions; their directories stay",
  more: "A running session is stopped first. With --json one line is printed per session.",
  args: { sessions: SESSIONS },
  options: { purge: { takes: "flag", summary: "Delete the records of sessions that do not run, for good" } },
  async run({ sessions, purge }, context) {
    const client = context.client();
    if (purge) return eachSession(sessions, (session) => client.delete({ session, purge }));
    return eachSession(sessions, (session) => client.remove({ session }, { timeoutMs: 120_000 }));
  },
  render: (outcomes) => outcomesText(outcomes, "removed"),
  json: outcomesJson,
  notes: outcomeNotes,
  exit: outcomesExit,
});
