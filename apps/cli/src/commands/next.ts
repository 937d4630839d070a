import type { NextAnswer } from "@tmpm/api";
import { hasCode } from "@tmpm/core";
import { command } from "../command.js";
import { projectArgument } from "../input/project-argument.js";
import { renderNext } from "../render/next.js";
import { attachTo } from "../terminal/attach-to.js";
import { onTerminal } from "../terminal/terminal.js";

const NOTHING = 3;

interface Found {
  readonly answer: NextAnswer;
  /** The exit status of the attached terminal; null when none was attached. */
  readonly status: number | null;
  /** Why attaching is impossible, for a session without a terminal. */
  readonly note?: string;
}

export const next = command({
  name: "next",
  summary: "Attach to the session that needs you most, or print what it asks",
  more: `Approvals come first, then questions, dialogs that only you can answer, and errors; within each, the longest wait first.
In a terminal it attaches; otherwise, and with --print or --json, the request is printed. Exits with status 3 when no session needs you.

  tmpm next
  tmpm next --print            and answer with \`tmpm approve\`, \`tmpm deny\` or \`tmpm answer\`
  tmpm next --project api --json`,
  args: {},
  options: {
    project: { takes: "text", label: "P", summary: "Only sessions of this project" },
    print: { takes: "flag", summary: "Print the request instead of attaching" },
  },
  async run({ project, print }, context): Promise<Found> {
    const client = context.client();
    const answer = await client.next({ project_id: projectArgument(project) });
    if (answer.session === null || print || context.json || !onTerminal()) return { answer, status: null };
    try {
      return { answer, status: await attachTo(client, { session: answer.session.id, context }) };
    } catch (error) {
      if (!hasCode(error, "HOST_CANNOT")) throw error;
      return { answer, status: null, note: error.message };
    }
  },
  render: ({ answer, status }, view) => (status === null ? renderNext(answer, view) : ""),
  json: ({ answer }) => JSON.stringify(answer),
  notes: ({ answer, note }) => (answer.session === null ? ["no session needs you"] : note === undefined ? [] : [note]),
  exit: ({ answer, status }) => status ?? (answer.session === null ? NOTHING : 0),
});
