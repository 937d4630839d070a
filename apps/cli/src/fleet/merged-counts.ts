import type { CountsAnswer } from "@tmpm/api";
import type { Asked, NodePart } from "./each-node.js";

export type FleetCounts = CountsAnswer & { readonly complete: boolean; readonly nodes: readonly (NodePart & Count)[] };

interface Count {
  readonly total: number;
  readonly live: number;
}

/** Totals of all machines. A project belongs to its machine, and is named by its address. */
export function mergedCounts({ answers, nodes }: Asked<CountsAnswer>): FleetCounts {
  const limits = answers.map(({ answer }) => answer.limit);
  return {
    ...sum(answers.map(({ answer }) => answer)),
    limit: limits.some((limit) => limit === null) ? null : limits.reduce((all: number, limit) => all + (limit ?? 0), 0),
    agents: grouped(
      answers.flatMap(({ answer }) => answer.agents),
      ({ agent }) => agent,
    ),
    projects: answers.flatMap(({ node, answer }) =>
      answer.projects.map((count) => (node === null ? count : { ...count, project_id: `${node}:${count.project_id}` })),
    ),
    owners: grouped(
      answers.flatMap(({ answer }) => answer.owners),
      ({ owner }) => owner ?? "",
    ),
    complete: nodes.every(({ complete }) => complete),
    nodes: nodes.map((part) => ({ ...part, ...sum(answers.filter(({ node }) => node === part.node).map(({ answer }) => answer)) })),
  };
}

function sum(counts: readonly Count[]): Count {
  return {
    total: counts.reduce((all, { total }) => all + total, 0),
    live: counts.reduce((all, { live }) => all + live, 0),
  };
}

function grouped<T extends Count>(counts: readonly T[], keyOf: (count: T) => string): T[] {
  const groups = new Map<string, readonly T[]>();
  for (const count of counts) groups.set(keyOf(count), [...(groups.get(keyOf(count)) ?? []), count]);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, ...sum(same) }];
  });
}
