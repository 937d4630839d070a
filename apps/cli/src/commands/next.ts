import type { NextAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { projectArgument } from "../project-argument.js";
import { renderNext } from "../render/next.js";

const NOTHING = 3;

export const next = command({
  name: "next",
  summary: "Show the session that needs you most, and what it asks",
  more: `Approvals come first, then questions, dialogs that only you can answer, and errors; of these, what waits longest.
Exits with status 3 when no session needs you.

  tmpm next
  tmpm next --project api --json`,
  args: {},
  options: { project: { takes: "text", label: "P", summary: "Only the sessions of this project" } },
  async run({ project }, context): Promise<NextAnswer> {
    return context.client().next({ project_id: projectArgument(project) });
  },
  render: renderNext,
  notes: ({ session }) => (session === null ? ["no session needs you"] : []),
  exit: ({ session }) => (session === null ? NOTHING : 0),
});
