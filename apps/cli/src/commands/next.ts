import type { NextAnswer } from "@tmpm/api";
import { hasCode } from "@tmpm/core";
import { command } from "../command.js";
import { eachNode, isWide, missingNotes, NODE_OPTION } from "../fleet/each-node.js";
import { type FleetNext, mostUrgent } from "../fleet/most-urgent.js";
import { projectArgument } from "../input/project-argument.js";
import { answerOf, OR_NULL, OVER_NODES, objectOf } from "../printed.js";
import { address } from "../render/fleet.js";
import { renderNext } from "../render/next.js";
import { attachTo } from "../terminal/attach-to.js";
import { onTerminal } from "../terminal/terminal.js";

const NOTHING = 3;

interface Found {
  readonly answer: NextAnswer | FleetNext;
  /** The exit status of the attached terminal; null when none was attached. */
  readonly status: number | null;
  /** Why attaching is impossible, for a session without a terminal. */
  readonly note?: string;
}

export const next = command({
  name: "next",
  group: "Observe",
  summary: "Attach to the session that needs you most, or print its request",
  more: `Approvals come first, then questions, dialogs that only you can answer, and errors; within each, the longest wait first. All nodes are included.
In a terminal it attaches; otherwise, and with --print or --json, the request is printed. Exits with status 3 when no session needs you.

  tmpm next
  tmpm next --print            and answer with \`tmpm approve\`, \`tmpm deny\` or \`tmpm answer\`
  tmpm next --project api --json`,
  args: {},
  options: {
    project: { takes: "text", label: "P", summary: "Only sessions of this project" },
    node: NODE_OPTION,
    print: { takes: "flag", summary: "Print the request instead of attaching" },
  },
  printed: { forms: [answerOf("next"), { allOf: [answerOf("next"), objectOf({ node: { type: OR_NULL }, ...OVER_NODES })] }] },
  async run({ project, node, print }, given): Promise<Found> {
    const query = { project_id: await projectArgument(project, given) };
    const answer: NextAnswer | FleetNext = isWide(given, node)
      ? mostUrgent(await eachNode(given, { only: node, ask: (client, within) => within((options) => client.next(query, options)) }))
      : await given.client().next(query);
    const context = isOfNodes(answer) ? given.at(answer.node) : given;
    const client = context.client();
    if (answer.session === null || print || context.json || !onTerminal()) return { answer, status: null };
    try {
      return { answer, status: await attachTo(client, { session: answer.session.id, context }) };
    } catch (error) {
      if (!hasCode(error, "HOST_CANNOT")) throw error;
      return { answer, status: null, note: error.message };
    }
  },
  render: ({ answer, status }, view) => (status === null ? renderNext(addressed(answer), view) : ""),
  json: ({ answer }) => JSON.stringify(answer),
  notes: ({ answer, note }) => [
    ...(answer.session === null ? ["no session needs you"] : note === undefined ? [] : [note]),
    ...(isOfNodes(answer) ? missingNotes(answer.nodes) : []),
  ],
  exit: ({ answer, status }) => status ?? (answer.session === null ? NOTHING : 0),
});

/** Sessions of other nodes are named by address. */
function addressed(answer: NextAnswer | FleetNext): NextAnswer {
  const { session } = answer;
  if (session === null || !isOfNodes(answer)) return answer;
  return { session: { ...session, name: address({ node: answer.node, name: session.name }) } };
}

function isOfNodes(answer: NextAnswer | FleetNext): answer is FleetNext {
  return "nodes" in answer;
}
