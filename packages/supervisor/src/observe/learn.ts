import { type Activity, pendingOf, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { ClosedDecision, DecisionState } from "../activity/asked.js";
import { closeOpen } from "../activity/asked.js";
import { believe } from "../activity/believe.js";
import type { ObservedState } from "../activity/known.js";
import type { Context } from "../context.js";
import { noticeTurns } from "../turns/notice.js";

/** The one place where the known state of a session changes: stores it, and reports a new activity and opened or closed decisions. */
export function learn(
  ctx: Context,
  record: Pick<SessionRecord, "id" | "project_id">,
  change: (known: ObservedState) => ObservedState,
): Activity | null {
  const before = ctx.observations.known(record.id);
  const nowMs = ctx.clock.now();
  const next = change(before);
  const belief = believe(next.track, { nowMs, beliefMs: ctx.settings.beliefMs });
  ctx.observations.know(record.id, { ...next, track: { ...next.track, belief } });
  const common = { at: timestampFromMs(nowMs), session_id: record.id, project_id: record.project_id };
  if (belief !== null && belief.state !== before.track.belief?.state)
    ctx.emit({ ...common, type: "session_activity_changed", activity: belief });
  emitDecisions(ctx, { before: before.asked, after: next.asked, common });
  noticeTurns(ctx, record.id);
  return belief;
}

/** A session without a terminal has no current knowledge and no open decision. */
export function forget(ctx: Context, record: Pick<SessionRecord, "id" | "project_id">): void {
  const end = { how: "ended", answer: null, atMs: ctx.clock.now() } as const;
  learn(ctx, record, (known) => ({ ...known, asked: closeOpen(known.asked, end) }));
  ctx.observations.forget(record.id);
  ctx.hookReports.edges.forget(record.id);
}

interface DecisionChange {
  readonly before: DecisionState;
  readonly after: DecisionState;
  readonly common: { readonly at: string; readonly session_id: string; readonly project_id: string };
}

function emitDecisions(ctx: Context, { before, after, common }: DecisionChange): void {
  for (const closed of after.closed.slice(newlyClosed(before, after))) {
    const { decision, answer, how } = closed;
    ctx.emit({ ...common, type: "decision_answered", decision_id: decision.id, answer, reason: how });
  }
  const { open } = after;
  if (open !== null && open.id !== before.open?.id) {
    ctx.emit({ ...common, type: "decision_opened", decision_id: open.id, question: open.subject });
    ctx.turns.waits(common.session_id, open.id);
  }
  if (ctx.settings.sharedStore && open?.id !== before.open?.id) notePending(ctx, common.session_id);
}

/** Another program that reads the records shows the open decision. A failed write is repeated with the next decision. */
function notePending(ctx: Pick<Context, "observations" | "report" | "store">, id: string): void {
  const none = { pending_decision: null, proposed_default: null };
  const writing = ctx.store.update(id, (record) => {
    const next = pendingOf({ record: none, decision: record.state === "active" ? ctx.observations.known(id).asked.open : null });
    return next.pending_decision === record.pending_decision ? record : { ...record, ...next };
  });
  writing.catch((error: unknown) => ctx.report({ doing: `writing the decision of session ${id}`, error }));
}

/** The start of the newly closed ones; older ones may have been dropped from the front. */
function newlyClosed(before: DecisionState, after: DecisionState): number {
  const last: ClosedDecision | undefined = before.closed.at(-1);
  return last === undefined ? 0 : after.closed.indexOf(last) + 1;
}
