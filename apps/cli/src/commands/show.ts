import type { SessionAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { TmpmError, visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { usageError } from "../parse/usage-error.js";
import { renderSession } from "../render/session.js";
import { OPTIONAL_SESSION } from "./shared-arguments.js";

export const show = command({
  name: "show",
  group: "Observe",
  summary: "Show everything known about a session",
  more: `  tmpm show demo
  tmpm show --issue 42
  tmpm show demo --json | jq .activity`,
  args: { session: OPTIONAL_SESSION },
  options: { issue: { takes: "text", label: "N", summary: "The session working on this issue" } },
  async run({ session, issue }, context): Promise<SessionAnswer> {
    if (session !== undefined && issue !== undefined) throw usageError("SESSION and --issue are mutually exclusive", "Give one of them.");
    if (session === undefined && issue === undefined)
      throw usageError("the session is missing", "Give a session, or an issue with --issue; `tmpm ls` lists the sessions.");
    return issue === undefined ? context.client().show({ session: session ?? "" }) : showIssue(context.client(), issue);
  },
  render: renderSession,
});

/** The unfinished session, else the newest finished one. */
async function showIssue(client: Client, issue: string): Promise<SessionAnswer> {
  const [first, second] = (await client.list({ issue_id: [issue] })).sessions;
  if (first !== undefined && second !== undefined)
    throw new TmpmError("SESSION_AMBIGUOUS", `more than one session works on issue ${issue}`, {
      hint: `\`tmpm ls --issue ${visibleText(issue)}\` lists them.`,
    });
  const [newest] = first === undefined ? (await client.list({ issue_id: [issue], all: true })).sessions : [first];
  if (newest !== undefined) return newest;
  throw new TmpmError("SESSION_NOT_FOUND", `no session works on issue ${issue}`, { hint: "`tmpm ls` lists the sessions." });
}
