import { type ReviewComment, type SendEntry, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { reported } from "../reported.js";
import { carriedBy } from "./carried-comments.js";
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
      const open = (await ctx.comments.of(record.id)).filter(isUnsent).map(({ id }) => id);
      if (open.length === 0) return;
      const entries = (await ctx.sends.list(record.id)).filter((entry) => carriedBy(entry).some((id) => open.includes(id)));
      for (const entry of entries) await markSent(ctx, { record, entry });
    },
  });
}

async function markSent(ctx: Context, { record, entry }: { readonly record: Commented; readonly entry: SendEntry }): Promise<void> {
  const sent = { at: timestampFromMs(ctx.clock.now()), send_id: entry.id };
  const carried = carriedBy(entry);
  let count = 0;
  await ctx.comments.change(record.id, (all) => {
    const marked = all.map((each) => (isUnsent(each) && carried.includes(each.id) ? { ...each, sent } : each));
    count = marked.filter((each) => each.sent === sent).length;
    return marked;
  });
  if (count === 0) return;
  ctx.emit({ type: "comments_sent", at: sent.at, session_id: record.id, project_id: record.project_id, count, send_id: entry.id });
  // It may be refused already.
  const known = (await ctx.sends.list(record.id)).find((send) => send.id === entry.id);
  if (known?.receipt?.outcome === "refused") await reopenComments(ctx, { session: record.id, sendId: entry.id });
}

function isUnsent({ sent }: ReviewComment): boolean {
  return sent === null;
}
