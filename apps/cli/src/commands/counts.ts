import type { CountsAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { eachNode, isWide, missingNotes, NODE_OPTION } from "../fleet/each-node.js";
import { type FleetCounts, mergedCounts } from "../fleet/merged-counts.js";
import { answerOf, OVER_NODES, objectOf } from "../printed.js";
import { table } from "../render/table.js";

export const counts = command({
  name: "counts",
  group: "Observe",
  summary: "Count sessions by agent, project and owner",
  more: `LIVE sessions are running or starting; TOTAL is all that are not finished. Those of all nodes are counted; see \`tmpm nodes\`.

  tmpm counts
  tmpm counts --node build1
  tmpm counts --json | jq .live`,
  args: {},
  options: { node: NODE_OPTION },
  printed: { forms: [answerOf("counts"), { allOf: [answerOf("counts"), objectOf(OVER_NODES)] }] },
  async run({ node }, context): Promise<CountsAnswer | FleetCounts> {
    if (!isWide(context, node)) return context.client().counts();
    return mergedCounts(await eachNode(context, { only: node, ask: (client, within) => within((options) => client.counts({}, options)) }));
  },
  notes: (counted) => ("nodes" in counted ? missingNotes(counted.nodes) : []),
  render(counted, view) {
    const { total, live, limit, agents, projects, owners } = counted;
    const row = (what: string, name: string, count: { readonly total: number; readonly live: number }) => [
      what,
      name,
      String(count.live),
      String(count.total),
    ];
    const rows = [
      row("all", limit === null ? "" : `at most ${limit} live`, { total, live }),
      ...("nodes" in counted ? counted.nodes : []).map((part) => row("node", part.node ?? "this machine", part)),
      ...agents.map((count) => row("agent", count.agent, count)),
      ...projects.map((count) => row("project", count.project_id, count)),
      ...owners.map((count) => row("owner", count.owner ?? "-", count)),
    ];
    return table({ head: ["", "", "LIVE", "TOTAL"], rows }, view);
  },
});
