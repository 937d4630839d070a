import { command } from "../command.js";
import { eachSession, outcomeNotes, outcomesExit, outcomesJson, outcomesText } from "../input/each-session.js";
import { answerPerSession } from "../printed.js";
import { SESSIONS } from "./shared-arguments.js";

export const archive = command({
  name: "archive",
  group: "Start and end sessions",
  summary: "Archive sessions that are not running",
  more: `\`tmpm ls --archived\` lists them; \`tmpm resume\` restores one. With --json one line is printed per session.

  tmpm archive demo
  tmpm archive web api   several at once`,
  args: { sessions: SESSIONS },
  options: {},
  printed: answerPerSession("archive"),
  async run({ sessions }, context) {
    const client = context.client();
    return eachSession(sessions, (session) => client.archive({ session }));
  },
  render: (outcomes) => outcomesText(outcomes, "archived"),
  json: outcomesJson,
  notes: outcomeNotes,
  exit: outcomesExit,
});
