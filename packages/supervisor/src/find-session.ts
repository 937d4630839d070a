import { didYouMean, isTerminal, type SessionRecord, TmpmError, UUID_PATTERN } from "@tmpm/core";
import type { Entry } from "@tmpm/store";
import type { Context } from "./context.js";
import type { NativeAgent } from "./discovery/discovered-before.js";
import { recallRunning } from "./recall-running.js";
import { knownRecord } from "./remembering-store.js";

/**
 * The session that a user means: an exact id, name or tmux name wins over a prefix, an unfinished session over a finished one.
 * @throws SESSION_NOT_FOUND; HOST_CANNOT for the pid of an agent that runs elsewhere; SESSION_AMBIGUOUS with `details.candidates`;
 * RECORD_DAMAGED, RECORD_UNSUPPORTED
 */
export async function findSession(ctx: Context, text: string): Promise<SessionRecord> {
  const [first, second, ...more] = await candidatesFor(ctx, text);
  if (first === undefined || (second === undefined && knownRecord(first) === null)) {
    // A running terminal is tagged with its session.
    const [recalled] = (await recallRunning(ctx)) ? await candidatesFor(ctx, text) : [];
    const record = recalled === undefined ? null : knownRecord(recalled);
    if (record !== null) return record;
  }
  if (first === undefined) {
    await requireAllReadable(ctx, text);
    throw notFound(ctx, { text, near: await nearName(ctx, text) });
  }
  if (second !== undefined) throw ambiguous(text, [first, second, ...more]);
  return usable(first);
}

export interface VisibleSearch {
  readonly text: string;
  readonly sees: (record: SessionRecord) => boolean;
}

/**
 * As `findSession`, for a caller that sees only some sessions: the others are neither found, nor candidates, nor named in an error.
 * @throws SESSION_NOT_FOUND; SESSION_AMBIGUOUS
 */
export async function findSeen(ctx: Context, { text, sees }: VisibleSearch): Promise<SessionRecord> {
  const seen = async () => {
    const found = await ctx.store.find(text, { archived: true });
    return preferred(found.filter((entry) => isSeen(entry, sees)));
  };
  let found = await seen();
  if (found.length === 0 && (await recallRunning(ctx))) found = await seen();
  const [first, second] = found;
  if (second !== undefined) throw ambiguous(text, found);
  const record = first === undefined ? null : knownRecord(first);
  if (record !== null) return record;
  throw new TmpmError("SESSION_NOT_FOUND", `there is no session ${JSON.stringify(text)}`, {
    hint: "A session finds itself, and those within the reach of its grant.",
    details: { session: text },
  });
}

function isSeen(entry: Entry, sees: VisibleSearch["sees"]): boolean {
  const record = knownRecord(entry);
  return record !== null && sees(record);
}

async function candidatesFor(ctx: Pick<Context, "store">, text: string): Promise<readonly Entry[]> {
  return preferred(await ctx.store.find(text, { archived: true }));
}

function preferred(found: readonly Entry[]): readonly Entry[] {
  const live = found.filter((entry) => isLive(knownRecord(entry)));
  return live.length > 0 ? live : newestFirst(found);
}

function isLive(record: SessionRecord | null): boolean {
  return record !== null && !isTerminal(record);
}

/** An unknown name may be that of an unreadable record. @throws RECORD_DAMAGED */
async function requireAllReadable(ctx: Pick<Context, "store">, text: string): Promise<void> {
  // A damaged record still has its id.
  if (UUID_PATTERN.test(text)) return;
  const lost = (await ctx.store.list()).flatMap((entry) => (knownRecord(entry) === null && entry.kind !== "session" ? [entry.id] : []));
  if (lost.length === 0) return;
  throw new TmpmError(
    "RECORD_DAMAGED",
    `no readable record is named ${JSON.stringify(text)}, and ${lost.length === 1 ? "one" : lost.length} cannot be read: ${lost.slice(0, 5).join(", ")}`,
    { hint: "`tmpm ls` shows why.", details: { session: text, unreadable: lost } },
  );
}

/** Other text may name an agent seen running elsewhere. */
function notFound(ctx: Pick<Context, "discovery">, { text, near }: { readonly text: string; readonly near: string | null }): TmpmError {
  const natives = ctx.discovery.before.natives();
  const meant = natives.find(({ pid }) => text === String(pid));
  if (meant !== undefined) return notControllable(meant);
  const named = natives.find(({ agent }) => agent === text);
  return new TmpmError("SESSION_NOT_FOUND", `there is no session ${JSON.stringify(text)}`, {
    hint:
      named === undefined
        ? near === null
          ? "`tmpm ls --all` lists the sessions."
          : `Did you mean ${near}? \`tmpm ls\` lists the sessions.`
        : `Process ${named.pid} runs ${named.agent}, but tmpm cannot control it; \`tmpm new --agent ${named.agent}\` starts one that it can.`,
    details: { session: text },
  });
}

/** The unfinished session with the most similar name. */
async function nearName(ctx: Pick<Context, "store">, text: string): Promise<string | null> {
  const entries = await ctx.store.list();
  return didYouMean(
    text,
    entries.flatMap((entry) => (entry.kind === "session" && !isTerminal(entry.record) ? [entry.record.name] : [])),
  );
}

/** For a process that a user started in their own terminal. */
export function notControllable({ pid, agent, cwd }: NativeAgent): TmpmError {
  const where = cwd === null ? "" : ` --cwd ${JSON.stringify(cwd)}`;
  return new TmpmError("HOST_CANNOT", `process ${pid} (${agent}) does not run in a terminal that tmpm can control`, {
    hint: `It can only be listed; \`tmpm new --agent ${agent}${where}\` starts one that can be controlled.`,
    details: { origin: "native", pid, agent, cwd },
  });
}

/** Finished sessions may share a name; the newest wins. */
function newestFirst(found: readonly Entry[]): readonly Entry[] {
  const names = new Set(found.map((entry) => knownRecord(entry)?.name ?? entryId(entry)));
  return names.size === 1 ? found.slice(0, 1) : found;
}

function entryId(entry: Entry): string {
  return entry.kind === "session" ? entry.record.id : entry.id;
}

function ambiguous(text: string, entries: readonly Entry[]): TmpmError {
  const candidates = entries.map((entry) =>
    entry.kind === "session" ? { name: entry.record.name, id: entry.record.id } : { name: null, id: entry.id },
  );
  const shown = candidates.slice(0, 5).map((candidate) => candidate.name ?? candidate.id);
  return new TmpmError(
    "SESSION_AMBIGUOUS",
    `${JSON.stringify(text)} could be ${candidates.length} sessions: ${shown.join(", ")}${candidates.length > 5 ? ", …" : ""}`,
    {
      hint: "Type more of the name.",
      details: { session: text, candidates },
    },
  );
}

function usable(entry: Entry): SessionRecord {
  if (entry.kind === "session") return entry.record;
  if (entry.last !== undefined) return entry.last;
  throw unusable(entry);
}

/** Why the record of a session cannot be used: RECORD_DAMAGED or RECORD_UNSUPPORTED. */
export function unusable({ kind, id, reason }: Exclude<Entry, { readonly kind: "session" }>): TmpmError {
  const code = kind === "damaged" ? "RECORD_DAMAGED" : "RECORD_UNSUPPORTED";
  return new TmpmError(code, `the record of session ${id} cannot be used: ${reason}`, {
    hint: kind === "damaged" ? "Its file is left unchanged; repair or remove it by hand." : "Use the newer tmpm that wrote it.",
    details: { id },
  });
}
