import { TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";

export interface IssueWish {
  readonly project: string;
  readonly issue: string | undefined;
  /** Another session may already work on it. */
  readonly shared: boolean;
  /** The session to work on it; a new one by default. */
  readonly session?: { readonly id: string; readonly name: string };
}

/** Refuses a second unfinished session for one issue of a project, for a caller that serialises assignments. @throws ISSUE_TAKEN */
export async function requireFreeIssue(ctx: Pick<Context, "store">, { project, issue, shared, session }: IssueWish): Promise<void> {
  if (issue === undefined || shared) return;
  const entry = await ctx.store.findByIssue(project, issue);
  if (entry?.kind !== "session" || entry.record.id === session?.id) return;
  const { id, name } = entry.record;
  throw new TmpmError("ISSUE_TAKEN", `session ${name} already works on issue ${issue}`, {
    hint:
      session === undefined
        ? "`tmpm new --duplicate-issue` starts another one for it."
        : `\`tmpm set ${session.name} --duplicate-issue\` with the same options allows it.`,
    details: { id, name, issue_id: issue },
  });
}
