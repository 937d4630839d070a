import type { SessionAnswer, SetBody } from "@tmpm/api";
import { command } from "../command.js";
import { projectArgument } from "../project-argument.js";
import { renderLine } from "../render/line.js";
import { usageError } from "../usage-error.js";
import { SESSION } from "./shared-arguments.js";

export const set = command({
  name: "set",
  summary: "Set what is noted of a session",
  more: "An empty value takes the old one away. For example: tmpm set web --issue 17 --pr 40",
  args: { session: SESSION },
  options: {
    task: { takes: "text", label: "TEXT", summary: "What it is to do" },
    issue: { takes: "text", label: "N", summary: "The issue it works on" },
    issueUrl: { takes: "text", label: "URL", summary: "Where that issue is" },
    pr: { takes: "text", label: "N", summary: "The number of its pull request" },
    prUrl: { takes: "text", label: "URL", summary: "Where that pull request is" },
    model: { takes: "text", label: "M", summary: "The model that the agent uses from its next launch on" },
    project: { takes: "text", label: "P", summary: "Move it to this project: its id or its directory" },
    errored: { takes: "text", label: "MESSAGE", summary: "Say that its last run failed, and why; only when it does not run" },
  },
  async run({ session, errored, ...values }, context): Promise<SessionAnswer> {
    const body = bodyOf(values);
    const client = context.client();
    if (Object.values(body).some((value) => value !== undefined)) {
      const answer = await client.set({ session, ...body });
      return errored === undefined ? answer : client.markErrored({ session: answer.id, message: errored });
    }
    if (errored === undefined)
      throw usageError("there is nothing to set", "Name at least one of the options; `tmpm set --help` lists them.");
    return client.markErrored({ session, message: errored });
  },
  render: renderLine,
});

type Values = Readonly<Record<"task" | "issue" | "issueUrl" | "pr" | "prUrl" | "model" | "project", string | undefined>>;

function bodyOf({ task, issue, issueUrl, pr, prUrl, model, project }: Values): SetBody {
  return {
    task,
    issue_id: issue,
    issue_url: issueUrl,
    claimed_pr_number: numberOf(pr),
    claimed_pr_url: prUrl,
    model,
    project_id: projectArgument(project),
  };
}

function numberOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "") return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageError(`--pr takes a number, not ${JSON.stringify(text)}`, "Leave it empty to take the number away.");
}
