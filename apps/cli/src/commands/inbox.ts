import type { InboxAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { projectArgument } from "../input/project-argument.js";
import { renderInbox } from "../render/message.js";
import { OPTIONAL_SESSION } from "./shared-arguments.js";

export const inbox = command({
  name: "inbox",
  group: "Observe",
  summary: "List the questions and reports of sessions",
  more: `Sessions ask with \`tmpm ask\` and report with \`tmpm report\`, or with the tools of \`tmpm mcp\`. Questions on an agent's screen are shown by \`tmpm next\`.

  tmpm inbox
  tmpm inbox demo --all
  tmpm answer demo --choice 1`,
  args: { session: OPTIONAL_SESSION },
  options: {
    project: { takes: "text", label: "P", summary: "Only sessions of this project, by id or directory" },
    all: { takes: "flag", summary: "Also closed questions, and finished sessions" },
    limit: { takes: "count", label: "N", summary: "Maximum number of reports, newest first (default: 20)" },
  },
  async run({ session, project, all, limit }, context): Promise<InboxAnswer> {
    return context.client().inbox({ session, project_id: await projectArgument(project, context), all: all || undefined, limit });
  },
  render: renderInbox,
  notes: ({ questions, reports }) => (questions.length + reports.length === 0 ? ["no questions and no reports"] : []),
});
