import type { CountsAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { table } from "../render/table.js";

export const counts = command({
  name: "counts",
  summary: "Count sessions by agent, project and owner",
  more: `LIVE sessions are running or starting; TOTAL is all that are not finished.

  tmpm counts
  tmpm counts --json | jq .live`,
  args: {},
  options: {},
  async run(_input, context): Promise<CountsAnswer> {
    return context.client().counts();
  },
  render({ total, live, limit, agents, projects, owners }, view) {
    const row = (what: string, name: string, count: { readonly total: number; readonly live: number }) => [
      what,
      name,
      String(count.live),
      String(count.total),
    ];
    const rows = [
      row("all", limit === null ? "" : `at most ${limit} live`, { total, live }),
      ...agents.map((count) => row("agent", count.agent, count)),
      ...projects.map((count) => row("project", count.project_id, count)),
      ...owners.map((count) => row("owner", count.owner ?? "-", count)),
    ];
    return table({ head: ["", "", "LIVE", "TOTAL"], rows }, view);
  },
});
