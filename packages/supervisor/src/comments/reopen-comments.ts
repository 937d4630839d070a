import type { Context } from "../context.js";

/** The comments of a send that was refused are open again. A store that fails is reported. */
export async function reopenComments(ctx: Context, of: { readonly session: string; readonly sendId: string }): Promise<void> {
  try {
    const isOf = ({ sent }: { readonly sent: { readonly send_id: string | null } | null }) => sent?.send_id === of.sendId;
    if (!(await ctx.comments.of(of.session)).some(isOf)) return;
    await ctx.comments.change(of.session, (all) => all.map((each) => (isOf(each) ? { ...each, sent: null } : each)));
  } catch (error) {
    ctx.report({ doing: `reopening the comments of send ${of.sendId}`, error });
  }
}
