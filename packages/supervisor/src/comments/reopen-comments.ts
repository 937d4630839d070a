import type { ReviewComment } from "@tmpm/core";
import type { Context } from "../context.js";
import { reported } from "../reported.js";

/** Marks the comments of a refused send as open again. Store failures are reported. */
export async function reopenComments(
  ctx: Pick<Context, "comments" | "report">,
  { session, sendId }: { readonly session: string; readonly sendId: string },
): Promise<void> {
  const isOf = ({ sent }: ReviewComment) => sent?.send_id === sendId;
  await reported(ctx, {
    doing: `reopening the comments of send ${sendId}`,
    task: async () => {
      if (!(await ctx.comments.of(session)).some(isOf)) return;
      await ctx.comments.change(session, (all) => all.map((each) => (isOf(each) ? { ...each, sent: null } : each)));
    },
  });
}
