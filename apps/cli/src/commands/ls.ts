import type { FleetList, SessionList } from "@tmpm/api";
import { command } from "../command.js";
import { addressedFleet } from "../fleet/addressed-commands.js";
import { projectArgument } from "../input/project-argument.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { silentServer } from "../render/discovered.js";
import { fleetAsList, fleetNotes } from "../render/fleet.js";
import { renderList } from "../render/list.js";
import { LIST_FIELDS } from "../render/list-fields.js";
import { oneLine } from "../render/one-line.js";
import { SIGN_LEGEND } from "../render/standing.js";

interface Listed {
  readonly list: SessionList | FleetList;
  /** The message for an empty list. */
  readonly none: string;
  readonly usage: boolean;
  readonly tree: boolean;
  readonly ports: boolean;
}

export const ls = command({
  name: "ls",
  group: "Observe",
  summary: "List sessions, those that need you first",
  more: `WHAT is why a session needs you, or its last words. FOR is how long it has been in its state, SEEN how long ago it was last observed.
Signs: ${SIGN_LEGEND.join(", ")}. A narrow terminal gets fewer columns and shorter texts; in a pipe nothing is truncated.

  tmpm ls
  tmpm ls --project api --all
  tmpm ls --tree
  tmpm ls --usage
  tmpm ls --ports`,
  args: {},
  options: {
    all: { takes: "flag", summary: "Also list finished sessions" },
    archived: { takes: "flag", summary: "Only archived sessions" },
    discovered: { takes: "flag", summary: "Also unmanaged programs; see `tmpm discover`" },
    tree: { takes: "flag", summary: "Each session below the one that started it" },
    usage: { takes: "flag", summary: "Also the tokens used, and how full the context is; see `tmpm usage`" },
    ports: { takes: "flag", summary: "Also the ports of their workspaces" },
    project: { takes: "text", label: "P", summary: "Only sessions of this project, by id or directory" },
    node: { takes: "texts", label: "NODE", summary: "Only sessions of this node (local: this machine); repeatable" },
    issue: { takes: "text", label: "N", summary: "Only sessions working on this issue" },
  },
  printed: answersOf("list", "fleet"),
  modes: [{ of: ({ node }) => (node.length > 0 ? "--node" : "this machine"), takenBy: { discovered: ["this machine"] } }],
  async run({ all, archived, project, issue, node, discovered, usage, tree, ports }, context): Promise<Listed> {
    const project_id = await projectArgument(project, context);
    const query = {
      all: all || undefined,
      archived: archived || undefined,
      project_id,
      issue_id: issue === undefined ? undefined : [issue],
    };
    if (node.length > 0 && context.node !== null) throw usageError("--node and --on are mutually exclusive", "Give one of them.");
    const wide = node.length > 0 || (context.hasNodes() && !discovered);
    const fields = context.json ? undefined : [...LIST_FIELDS];
    const list = wide
      ? addressedFleet(await context.client().fleet({ ...query, fields, node: [...node] }))
      : await context.client().list({ ...query, discovered: discovered || undefined, fields });
    return { list, none: noneOf({ archived, project_id, issue }), usage, tree, ports };
  },
  render: ({ list, usage, tree, ports }, view) => renderList("nodes" in list ? fleetAsList(list) : list, { ...view, usage, tree, ports }),
  json: ({ list }) => JSON.stringify(list),
  notes({ list, none }) {
    if ("nodes" in list) return [...(list.sessions.length === 0 && list.complete ? [none] : []), ...fleetNotes(list)];
    const { sessions, store, unobservable = [] } = list;
    return [...(sessions.length === 0 && store.state === "ok" ? [none] : []), ...unobservable.map(silentServer)];
  },
});

interface Asked {
  readonly archived: boolean;
  readonly project_id: string | undefined;
  readonly issue: string | undefined;
}

function noneOf({ archived, project_id, issue }: Asked): string {
  const of = archived ? "no archived sessions" : "no sessions";
  if (issue !== undefined) return `${of} for issue ${oneLine(issue)}`;
  if (project_id !== undefined) return `${of} in project ${oneLine(project_id)}; \`tmpm projects\` lists the projects`;
  return archived ? of : `${of}; start one with \`tmpm new\``;
}
