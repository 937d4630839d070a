import type { SessionList } from "@tmpm/api";
import { command } from "../command.js";
import { projectArgument } from "../project-argument.js";
import { silentServer } from "../render/discovered.js";
import { renderList } from "../render/list.js";
import { SIGN_LEGEND } from "../render/standing.js";

export const ls = command({
  name: "ls",
  summary: "List the sessions, those that need you first",
  more: `WHAT is why a session needs you, or what it said last. FOR is how long it has been in its state, SEEN how long ago it was last observed.
Signs: ${SIGN_LEGEND.join(", ")}. A narrow terminal gets fewer columns and shorter texts; in a pipe nothing is cut.

  tmpm ls
  tmpm ls --project api --all`,
  args: {},
  options: {
    all: { takes: "flag", summary: "Also list finished sessions" },
    archived: { takes: "flag", summary: "Only those that were archived" },
    discovered: { takes: "flag", summary: "Also what runs and is no session; see `tmpm discover`" },
    project: { takes: "text", label: "P", summary: "Only the sessions of this project: its id or its directory" },
  },
  async run({ all, archived, project, discovered }, context): Promise<SessionList> {
    return context.client().list({
      all: all || undefined,
      archived: archived || undefined,
      project_id: projectArgument(project),
      discovered: discovered || undefined,
    });
  },
  render: renderList,
  notes: ({ sessions, store, unobservable = [] }) => [
    ...(sessions.length === 0 && store.state === "ok" ? ["no sessions; start one with `tmpm new`"] : []),
    ...unobservable.map(silentServer),
  ],
});
