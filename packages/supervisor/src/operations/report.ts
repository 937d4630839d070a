import { type Report, type ReportKind, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";

export interface ReportInput {
  readonly session: string;
  readonly kind: ReportKind;
  readonly text: string;
  readonly artifacts?: readonly string[] | undefined;
}

export interface SessionReport {
  readonly record: SessionRecord;
  readonly report: Report;
}

/** Stores a session's report on its work, for its parent session or for a user. It sends no prompt. */
export async function report(ctx: Context, { session, kind, text, artifacts = [] }: ReportInput): Promise<SessionReport> {
  const record = await findSession(ctx, session);
  await ctx.messages.loaded();
  const made: Report = {
    ...{ id: ctx.newId(), session_id: record.id, kind, text, artifacts: [...artifacts] },
    to: record.lineage === null ? null : record.spawned_by,
    at: timestampFromMs(ctx.clock.now()),
  };
  await ctx.messages.change(record.id, (messages) => ({ ...messages, reports: [...messages.reports, made] }));
  const { id, to, at } = made;
  ctx.emit({ type: "session_reported", session_id: record.id, project_id: record.project_id, at, report_id: id, kind, to });
  return { record, report: made };
}
