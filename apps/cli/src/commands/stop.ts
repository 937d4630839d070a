import { command } from "../command.js";
import { eachSession, outcomeNotes, outcomesExit, outcomesJson, outcomesText } from "../input/each-session.js";
import { answerPerSession } from "../printed.js";
import { SESSIONS } from "./shared-arguments.js";

const ANSWER_MS = 60_000;

export const stop = command({
  name: "stop",
  group: "Start and end sessions",
  summary: "End the programs of sessions; they can be resumed",
  more: `Records and workspaces stay. With --json one line is printed per session.

  tmpm stop demo
  tmpm stop web api --grace 20`,
  args: { sessions: SESSIONS },
  options: { grace: { takes: "seconds", label: "SECONDS", summary: "Time for the programs to exit before they are killed" } },
  printed: answerPerSession("stop"),
  async run({ sessions, grace }, context) {
    const client = context.client();
    const graceMs = grace === undefined ? undefined : Math.ceil(grace * 1000);
    return eachSession(sessions, (session) => client.stop({ session, grace_ms: graceMs }, { timeoutMs: ANSWER_MS + (graceMs ?? 0) }));
  },
  render: (outcomes) => outcomesText(outcomes, "stopped"),
  json: outcomesJson,
  notes: outcomeNotes,
  exit: outcomesExit,
});
