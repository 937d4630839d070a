import { hasCode, isTerminal, type SessionRecord, type SessionState, timestampFromMs } from "@tmpm/core";
import type { Entry } from "@tmpm/store";
import type { ForeignFiles, ForeignProgram } from "@tmpm/store/foreign";
import type { Context } from "../context.js";
import { bindRunning } from "../import/bind-running.js";
import { type Candidate, candidatesOf } from "../import/import-candidates.js";
import { importNotes } from "../import/import-notes.js";
import { importedRecord } from "../import/imported-record.js";
import { importedTurns } from "../import/imported-turns.js";
import { namesHeld } from "../launch/session-names.js";

export interface ImportInput {
  readonly files: ForeignFiles;
  /** Writes nothing, and returns the same. */
  readonly dry_run?: boolean | undefined;
}

/** The result for one document. `id` is theirs; `session` is ours, also if it already existed. */
export interface ImportedDocument {
  readonly source: string;
  readonly id: string | null;
  readonly outcome: "mapped" | "already_there" | "skipped";
  readonly session: { readonly id: string; readonly name: string; readonly project_id: string; readonly state: SessionState } | null;
  /** Why it was skipped. */
  readonly reason: string | null;
  /** Differences of a mapped session from the original. */
  readonly notes: readonly string[];
}

export interface Imported {
  readonly from: ForeignProgram;
  readonly dry_run: boolean;
  readonly documents: readonly ImportedDocument[];
}

/** Other operations choose names in between. */
const CHUNK = 100;

/**
 * Creates records for another program's sessions. No imported session is believed to run, an existing record is never written, and the same
 * files give the same ids, so that a repetition changes nothing.
 * @throws INVALID_ARGUMENT when a file has another form, and errors of the store; sessions imported before it stay
 */
export async function importSessions(ctx: Context, { files, dry_run = false }: ImportInput): Promise<Imported> {
  const candidates = candidatesOf(files, () => timestampFromMs(ctx.clock.now()));
  const work: Work = { from: files.from, dry_run, planned: new Set(), seen: new Map(), mapped: [] };
  const documents: ImportedDocument[] = [];
  for (let start = 0; start < candidates.length; start += CHUNK) {
    const chunk = candidates.slice(start, start + CHUNK);
    documents.push(...(await ctx.queues.naming.run("names", () => importChunk(ctx, { chunk, work }))));
  }
  const { running } = await bindRunning(ctx, { records: work.mapped, dry_run });
  return { from: files.from, dry_run, documents: documents.map((document) => asBound(document, running)) };
}

function asBound(document: ImportedDocument, running: ReadonlyMap<string, string>): ImportedDocument {
  const { session, notes } = document;
  const name = session === null ? undefined : running.get(session.id);
  if (session === null || name === undefined || document.outcome !== "mapped") return document;
  const moot = notes.filter((note) => !note.includes("; here it is stopped"));
  return {
    ...document,
    session: { ...session, state: "active" },
    notes: [...moot, `it runs in the tmux session ${name}, which is now its terminal`],
  };
}

interface Work {
  readonly from: ForeignProgram;
  readonly dry_run: boolean;
  /** Names assigned by a dry run. */
  readonly planned: Set<string>;
  /** Where a session was first found. */
  readonly seen: Map<string, string>;
  readonly mapped: SessionRecord[];
}

async function importChunk(
  ctx: Context,
  { chunk, work }: { readonly chunk: readonly Candidate[]; readonly work: Work },
): Promise<readonly ImportedDocument[]> {
  const entries = await ctx.store.list({ archived: true });
  const existing = new Map(usableLast(entries).map((entry) => [idOf(entry), entry]));
  const taken = new Set([...work.planned, ...entries.flatMap(namesHeld)]);
  const documents: ImportedDocument[] = [];
  for (const candidate of chunk) documents.push(await importOne(ctx, { candidate, work, existing, taken }));
  return documents;
}

/** Of several with one id, a readable record is preferred. */
function usableLast(entries: readonly Entry[]): readonly Entry[] {
  return [...entries.filter(({ kind }) => kind !== "session"), ...entries.filter(({ kind }) => kind === "session")];
}

function idOf(entry: Entry): string {
  return entry.kind === "session" ? entry.record.id : entry.id;
}

interface Step {
  readonly candidate: Candidate;
  readonly work: Work;
  readonly existing: ReadonlyMap<string, Entry>;
  readonly taken: Set<string>;
}

async function importOne(ctx: Context, { candidate, work, existing, taken }: Step): Promise<ImportedDocument> {
  if (candidate.kind === "skipped") return skipped(candidate, candidate.reason);
  const { source, record: decoded } = candidate;
  const first = work.seen.get(decoded.id);
  if (first !== undefined) return skipped(candidate, `the same session as in ${first}`);
  work.seen.set(decoded.id, source);
  const there = existing.get(decoded.id);
  if (there !== undefined) return found(candidate, there);
  const now = timestampFromMs(ctx.clock.now());
  const record = importedRecord(decoded, { from: work.from, id: candidate.id, archived: candidate.archived, now, taken });
  // A crash in between leaves turns that the next import of the same session finds.
  if (!work.dry_run) await ctx.turns.seed(importedTurns(record, candidate));
  if (!work.dry_run && !(await create(ctx, record))) {
    const other = await ctx.store.get(decoded.id);
    return other === null ? skipped(candidate, "another process keeps creating and removing its record") : found(candidate, other);
  }
  work.mapped.push(record);
  if (!work.dry_run) await keepApart(ctx, { candidate, record });
  if (!isTerminal(record)) {
    taken.add(record.name);
    work.planned.add(record.name);
  }
  return {
    ...{ source, id: candidate.id, outcome: "mapped", session: sessionOf(record), reason: null },
    notes: importNotes(ctx, { decoded, record }),
  };
}

/** Data that another program has in a session, and we beside its record. */
async function keepApart(
  ctx: Pick<Context, "store" | "thoughts">,
  { candidate, record }: { readonly candidate: Extract<Candidate, { kind: "session" }>; readonly record: SessionRecord },
): Promise<void> {
  const { thought = null, archived } = candidate;
  if (thought !== null) ctx.thoughts.put({ key: record.id, snapshot: thought });
  if (archived) await ctx.store.archive(record.id);
}

/** False when another process has created the record meanwhile. */
async function create(ctx: Pick<Context, "emit" | "store">, record: SessionRecord): Promise<boolean> {
  try {
    await ctx.store.create(record);
  } catch (error) {
    if (hasCode(error, "NAME_TAKEN")) return false;
    throw error;
  }
  ctx.emit({ type: "session_created", at: record.updated_at, session_id: record.id, name: record.name, agent: record.agent });
  return true;
}

function found(candidate: Candidate, existing: Entry): ImportedDocument {
  const { source, id } = candidate;
  if (existing.kind !== "session") return skipped(candidate, `there is a record ${existing.id} that cannot be used: ${existing.reason}`);
  return { source, id, outcome: "already_there", session: sessionOf(existing.record), reason: null, notes: [] };
}

function skipped({ source, id }: Candidate, reason: string): ImportedDocument {
  return { source, id, outcome: "skipped", session: null, reason, notes: [] };
}

function sessionOf({ id, name, project_id, state }: SessionRecord): NonNullable<ImportedDocument["session"]> {
  return { id, name, project_id, state };
}
