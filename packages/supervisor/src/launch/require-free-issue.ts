import { TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";

export interface IssueWish {
  readonly project: string;
  readonly issue: string | undefined;
  /** Another session may work on it already. */
  readonly shared: boolean;
}

/** Refuses a second unfinished session for one issue of a project, for a caller that serialises the making of sessions. @throws ISSUE_TAKEN */
export async function requireFreeIssue(ctx: Context, { project, issue, shared }: IssueWish): Promise<void> {
  if (issue === undefined || shared) return;
  const entry = await ctx.store.findByIssue(project, issue);
  if (entry?.kind !== "session") return;
  const { id, name } = entry.record;
  throw new TmpmError("ISSUE_TAKEN", `session ${name} works on issue ${issue} already`, {
    hint: "`tmpm new --duplicate-issue` starts another one for it.",
    details: { id, name, issue_id: issue },
  });
}
