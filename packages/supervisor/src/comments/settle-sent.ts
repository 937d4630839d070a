import { type ReviewComment, type SendEntry, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { reported } from "../reported.js";
import { reopenComments } from "./reopen-comments.js";

type Commented = Pick<SessionRecord, "id" | "name" | "project_id">;

/**
 * Marks the comments that the session's accepted sends carry; those of refused sends stay open. Repeated before the open ones are sent,
 * since a crash or a failure of the store may have come between. Failures are reported.
 */
export async function settleSent(ctx: Context, record: Commented): Promise<void> {
  await reported(ctx, {
    doing: `marking the comments on session ${record.name} as sent`,
    task: async () => {
      for (const entry of await ctx.sends.list(record.id)) await markSent(ctx, { record, entry });
    },
  });
}

async function markSent(ctx: Context, { record, entry }: { readonly record: Commented; readonly entry: SendEntry }): Promise<void> {
  const { id, comments: ids = [], receipt } = entry;
  if (ids.length === 0 || receipt?.outcome === "refused") return;
  const isOpen = (comment: ReviewComment) => comment.sent === null && ids.includes(comment.id);
  const count = (await ctx.comments.of(record.id)).filter(isOpen).length;
  if (count === 0) return;
  const sent = { at: timestampFromMs(ctx.clock.now()), send_id: id };
  await ctx.comments.change(record.id, (all) => all.map((each) => (isOpen(each) ? { ...each, sent } : each)));
  ctx.emit({ type: "comments_sent", at: sent.at, session_id: record.id, project_id: record.project_id, count, send_id: id });
  // It may be refused already.
  const known = (await ctx.sends.list(record.id)).find((send) => send.id === id);
  if (known?.receipt?.outcome === "refused") await reopenComments(ctx, { session: record.id, sendId: id });
}
