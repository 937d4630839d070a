import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { reported } from "../reported.js";

/** Drops the commits kept for the undo of a finish. A failure is reported: the session's removal does not wait for its repository. */
export async function forgetCommits(ctx: Pick<Context, "report" | "workspaces">, { id, name, finished }: SessionRecord): Promise<void> {
  if (finished === null) return;
  const task = () => ctx.workspaces.dropCommits({ repository: finished.repository, sessionId: id });
  await reported(ctx, { doing: `removing the commits kept for the undo of session ${name}`, task });
}
