import { hasCode, isTerminal, pendingOf, type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import { ao, aoFile, permissionsToAo } from "@tmpm/core/compat/ao";
import { swimmers } from "@tmpm/core/compat/swimmers";
import { trustyMpm } from "@tmpm/core/compat/trusty-mpm";
import type { Entry } from "@tmpm/store";
import type { ForeignExport } from "@tmpm/store/foreign";
import type { Context } from "../context.js";
import { derivedId } from "../import/derived-id.js";
import { exportedRecord } from "../import/imported-record.js";
import { overridesOf } from "../overrides/session-overrides.js";

export interface ExportInput {
  readonly to: ForeignExport["to"];
}

/** The result for one record. */
export interface ExportedSession {
  readonly id: string;
  /** Null for an unreadable record. */
  readonly name: string | null;
  readonly outcome: "written" | "skipped";
  /** Why it cannot be represented. */
  readonly reason: string | null;
  /** Information that the other program's format loses. */
  readonly notes: readonly string[];
}

export interface Exported {
  readonly sessions: readonly ExportedSession[];
  /** The files to write. */
  readonly files: ForeignExport;
}

/** All records, including finished ones, in the format of another program, by id. Writes nothing. */
export async function exportSessions(ctx: Context, { to }: ExportInput): Promise<Exported> {
  const entries = Array.from(await ctx.store.list({ archived: true })).sort((a, b) => (entryId(a) < entryId(b) ? -1 : 1));
  const results = entries.map((entry) => exportEntry(ctx, { entry, to }));
  const written = results.flatMap(({ file, document }) => (document === null ? [] : [{ file, document }]));
  const files: ForeignExport =
    to === "trusty-mpm"
      ? { to, document: { sessions: Object.fromEntries(written.map(({ file, document }) => [file, document])) } }
      : to === "swimmers"
        ? { to, registry: written.map(({ document }) => document) }
        : { to, files: written };
  return { sessions: results.map(({ session }) => session), files };
}

interface Result {
  readonly session: ExportedSession;
  /** Its key in trusty-mpm's file, or its file in the folder of ao-rs. */
  readonly file: string;
  readonly document: Readonly<Record<string, unknown>> | null;
}

function exportEntry(
  ctx: Pick<Context, "clock" | "observations" | "thoughts">,
  { entry, to }: { readonly entry: Entry; readonly to: ForeignExport["to"] },
): Result {
  if (entry.kind !== "session") return skipped({ id: entry.id, name: null }, `${entry.kind}: ${entry.reason}`);
  const { id, name } = entry.record;
  try {
    const { open: decision } = ctx.observations.known(id).asked;
    const record = exportedRecord({ ...entry.record, ...pendingOf({ record: entry.record, decision }) }, to);
    const archived = entry.archived || isTerminal(record);
    const { file, document } = documentOf(ctx, { record, to, archived });
    return { session: { id, name, outcome: "written", reason: null, notes: notesOn({ record, document, to }) }, file, document };
  } catch (error) {
    if (hasCode(error, "INVALID_ARGUMENT")) return skipped({ id, name }, error.message);
    throw error;
  }
}

interface Exporting {
  readonly record: SessionRecord;
  readonly to: ForeignExport["to"];
  readonly archived: boolean;
}

function documentOf(ctx: Pick<Context, "clock" | "thoughts">, { record, to, archived }: Exporting): ReturnType<typeof toAo> {
  if (to === "trusty-mpm") return toTrustyMpm(ctx, record);
  return to === "ao-rs" ? toAo(record, archived) : toSwimmers(ctx, record);
}

/** Their registry contains unfinished sessions. @throws INVALID_ARGUMENT for other ones */
function toSwimmers(ctx: Pick<Context, "thoughts">, record: SessionRecord): ReturnType<typeof toAo> {
  if (isTerminal(record)) throw new TmpmError("INVALID_ARGUMENT", `swimmers does not keep ${record.state} sessions`);
  return { file: record.id, document: swimmers({ idOf: derivedId("swimmers") }).fromRecord(record, ctx.thoughts.get(record)) };
}

function toTrustyMpm(
  ctx: Pick<Context, "clock">,
  record: SessionRecord,
): Pick<Result, "file"> & { readonly document: Readonly<Record<string, unknown>> } {
  const document = trustyMpm({ now: () => timestampFromMs(ctx.clock.now()) }).encodeRecord(record);
  return { file: record.id, document };
}

function toAo(record: SessionRecord, archived: boolean): Pick<Result, "file"> & { readonly document: Readonly<Record<string, unknown>> } {
  const document = ao({ idOf: derivedId("ao-rs") }).encodeRecord(record);
  return { file: aoFile(document, { archived }), document };
}

function notesOn(written: {
  readonly record: SessionRecord;
  readonly document: Readonly<Record<string, unknown>>;
  readonly to: ForeignExport["to"];
}): readonly string[] {
  const { record, document, to } = written;
  const { permissions } = overridesOf(record);
  const worded = permissions === undefined || permissionsToAo(record.agent, permissions) !== undefined;
  const runs = record.state === "active" || record.state === "provisioning";
  return [
    ...(runs && to !== "swimmers" ? [`it runs where ${to} does not find it`] : []),
    ...(to === "ao-rs" && !worded ? [`ao-rs has no equivalent of its permissions ${permissions}; default is written`] : []),
    ...(to === "ao-rs" && document.workspace_path === null
      ? ["its directory is not handed over, since ao-rs removes workspaces by force"]
      : []),
  ];
}

function skipped(named: Pick<ExportedSession, "id" | "name">, reason: string): Result {
  return { session: { ...named, outcome: "skipped", reason, notes: [] }, file: "", document: null };
}

function entryId(entry: Entry): string {
  return entry.kind === "session" ? entry.record.id : entry.id;
}
