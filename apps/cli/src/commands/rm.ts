import { command } from "../command.js";
import { eachSession, outcomeNotes, outcomesExit, outcomesJson, outcomesText } from "../input/each-session.js";
import { usageError } from "../parse/usage-error.js";
import { answerPerSession } from "../printed.js";
import { SESSIONS } from "./shared-arguments.js";

export const rm = command({
  name: "rm",
  group: "Start and end sessions",
  summary: "Remove sessions; their workspaces go to the trash",
  more: `A running session is stopped first. A workspace that tmpm created goes to the trash, unless it holds work that exists nowhere else; your own directories are not touched. \`tmpm undo\` restores a removed session. With --json one line is printed per session.

  tmpm rm demo
  tmpm rm web api --keep-workspace
  tmpm rm build --keep-running       tmpm releases it; it keeps running in its tmux session
  tmpm rm old --purge                also the record, permanently`,
  args: { sessions: SESSIONS },
  options: {
    keepWorkspace: { takes: "flag", summary: "Leave the workspace in place; tmpm no longer manages it" },
    keepRunning: { takes: "flag", summary: "Keep its program and workspace running, unmanaged (tmux sessions only)" },
    discard: { takes: "flag", summary: "Move unsaved work to the trash too; `tmpm undo` restores it for a week" },
    purge: { takes: "flag", summary: "Permanently delete the records of sessions that are not running" },
  },
  printed: answerPerSession("remove", "delete"),
  modes: [
    {
      of: ({ purge }) => (purge ? "--purge" : "a removal without --purge"),
      takenBy: { keepWorkspace: ["a removal without --purge"], discard: ["a removal without --purge"] },
    },
  ],
  async run({ sessions, purge, keepWorkspace, keepRunning, discard }, context) {
    if (keepWorkspace && discard) throw usageError("--keep-workspace and --discard are mutually exclusive", "Give one of them.");
    if (keepRunning && (discard || purge)) throw usageError("--keep-running excludes --discard and --purge", "Give one of them.");
    const client = context.client();
    if (purge) return eachSession(sessions, (session) => client.delete({ session, purge }));
    return eachSession(sessions, (session) =>
      client.remove(
        {
          session,
          keep_workspace: keepWorkspace || undefined,
          keep_running: keepRunning || undefined,
          discard: discard || undefined,
        },
        { timeoutMs: 180_000 },
      ),
    );
  },
  render: (outcomes) => outcomesText(outcomes, "removed"),
  json: outcomesJson,
  notes: outcomeNotes,
  exit: outcomesExit,
});
