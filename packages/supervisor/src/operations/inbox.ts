import { isOpen, isTerminal, msFromTimestamp, type Timestamp } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { seenBy } from "../grants/authorise.js";
import { projectIdOf } from "../projects/registry.js";
import type { SessionQuestion } from "./questions.js";
import type { SessionReport } from "./report.js";

export interface InboxInput {
  readonly session?: string | undefined;
  readonly project_id?: string | undefined;
  /** Include closed questions and finished sessions. */
  readonly all?: boolean | undefined;
  /** Number of newest reports. */
  readonly limit?: number | undefined;
  readonly actor?: string | null | undefined;
}

export interface Inbox {
  /** The longest waiting first. */
  readonly questions: readonly SessionQuestion[];
  /** Newest first. */
  readonly reports: readonly SessionReport[];
}

const USUAL = 20;

/** Sessions' questions and reports. @throws PROJECT_NOT_FOUND, and the errors of `findSession` */
export async function inbox(ctx: Context, input: InboxInput): Promise<Inbox> {
  await ctx.messages.loaded();
  const project = input.project_id === undefined ? {} : { project_id: await projectIdOf(ctx, input.project_id) };
  const entries = await ctx.store.list({ archived: input.all ?? false, ...project });
  const only = input.session === undefined ? null : (await findSession(ctx, input.session)).id;
  const seen = input.actor === undefined || input.actor === null ? null : await seenBy(ctx, input.actor);
  const records = entries.flatMap((entry) => {
    if (entry.kind !== "session") return [];
    const { record } = entry;
    const isMeant = only === null ? input.all === true || !isTerminal(record) : record.id === only;
    return isMeant && (seen === null || seen(record)) ? [record] : [];
  });
  const questions = records.flatMap((record) =>
    ctx.messages.of(record.id).questions.flatMap((question) => (input.all === true || isOpen(question) ? [{ record, question }] : [])),
  );
  const reports = records.flatMap((record) => ctx.messages.of(record.id).reports.map((report) => ({ record, report })));
  return {
    questions: questions.toSorted((a, b) => since(a.question.asked_at, b.question.asked_at)),
    reports: reports.toSorted((a, b) => since(b.report.at, a.report.at)).slice(0, input.limit ?? USUAL),
  };
}

function since(a: Timestamp, b: Timestamp): number {
  return msFromTimestamp(a) - msFromTimestamp(b);
}
