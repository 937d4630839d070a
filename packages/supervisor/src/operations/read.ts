import { hasCode, isTerminal, type PaneIdentity, type Screen, type SessionRecord, type Timestamp, timestampFromMs } from "@tmpm/core";
import type { Entry, Health } from "@tmpm/store";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { seenBy } from "../grants/authorise.js";
import { workingDirectory } from "../launch/launch.js";
import { paneOf } from "../observe/observe.js";
import { projectIdOf } from "../projects/registry.js";
import { knownRecord } from "../remembering-store.js";
import { requireActive, requirePresent } from "../require-active.js";

export interface Listing {
  /** Newest first. */
  readonly sessions: readonly SessionFacts[];
  /** Records that are listed and not used. */
  readonly problems: readonly Exclude<Entry, { kind: "session" }>[];
  readonly health: Health;
  /** Hosts that do not answer now, with the number of their sessions, whose information is older. */
  readonly silent: readonly SilentHost[];
}

export interface SilentHost {
  readonly host: string;
  readonly since: Timestamp;
  readonly reason: string;
  readonly sessions: number;
}

export interface ListFilter {
  readonly all?: boolean | undefined;
  /** Only those that were archived. */
  readonly archived?: boolean | undefined;
  /** Its id, or the path of a registered one. */
  readonly project_id?: string | undefined;
  /** The session that requests it with its own token: it sees those within its reach. */
  readonly actor?: string | null | undefined;
}

/**
 * All unfinished sessions, and with `all` the finished and archived ones. Returns them from the records, without querying a host. @throws
 * PROJECT_NOT_FOUND
 */
export async function list(ctx: Context, filter: ListFilter): Promise<Listing> {
  await ctx.messages.loaded();
  const archivedOnly = filter.archived ?? false;
  const all = archivedOnly || (filter.all ?? false);
  const project = filter.project_id === undefined ? {} : { project_id: await projectIdOf(ctx, filter.project_id) };
  const found = await ctx.store.list({ archived: all, ...project });
  const seen = filter.actor === undefined || filter.actor === null ? null : await seenBy(ctx, filter.actor);
  const visible = seen === null ? found : found.filter((entry) => entry.kind === "session" && seen(entry.record));
  const entries = archivedOnly ? visible.filter((entry) => entry.kind !== "session" || entry.archived) : visible;
  const records = entries.flatMap((entry) => knownRecord(entry) ?? []);
  await Promise.all([
    ctx.themes.refresh(records),
    ctx.directories.refresh(records.filter((record) => !isTerminal(record)).map(workingDirectory)),
  ]);
  return {
    sessions: records.filter((record) => all || !isTerminal(record)).map((record) => factsOf(ctx, record)),
    problems: entries.filter((entry) => entry.kind !== "session"),
    health: ctx.store.health(),
    silent: silentHosts(ctx, records),
  };
}

function silentHosts(ctx: Pick<Context, "hookReports" | "host">, records: readonly SessionRecord[]): readonly SilentHost[] {
  const places = records.flatMap(({ state, pane }) => (state === "active" && pane !== null ? [ctx.host.at(pane).place] : []));
  return [...new Set(places)].flatMap((host) => {
    const silence = ctx.hookReports.silences.of(host);
    if (silence === null) return [];
    const sessions = places.filter((place) => place === host).length;
    return [{ host, since: timestampFromMs(silence.sinceMs), reason: silence.reason, sessions }];
  });
}

/** One session, from its record. @throws the errors of `findSession` */
export async function show(ctx: Context, input: { readonly session: string }): Promise<SessionFacts> {
  const record = await findSession(ctx, input.session);
  await Promise.all([
    ctx.messages.loaded(),
    ctx.themes.refresh([record]),
    ctx.directories.refresh(isTerminal(record) ? [] : [workingDirectory(record)]),
  ]);
  return factsOf(ctx, record);
}

export interface CapturedScreen {
  readonly session_id: string;
  readonly lines: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly cursor: { readonly column: number; readonly row: number; readonly visible: boolean };
  readonly title: string;
  /** For each of `lines`; undefined when not read. */
  readonly styles?: Exclude<Screen["styles"], undefined>;
  /** False for the stored last lines of a session that has ended. */
  readonly live: boolean;
  readonly captured_at: string;
}

/** The current screen; for a session that has ended, its stored last lines. @throws the errors of `SessionHost.capture` */
export async function capture(
  ctx: Context,
  input: { readonly session: string; readonly history?: number | undefined },
): Promise<CapturedScreen> {
  const record = await findSession(ctx, input.session);
  if (record.state !== "active") return keptScreen(ctx, record);
  const { history = 0 } = input;
  const { lines, styles, cursor, title, pane } = await ctx.host.capture(paneOf(record), { history });
  const drawn = history > 0 || styles === undefined ? {} : { styles };
  const { columns, rows } = pane;
  const session_id = record.id;
  return { session_id, lines, ...drawn, columns, rows, cursor, title, live: true, captured_at: timestampFromMs(ctx.clock.now()) };
}

function keptScreen(ctx: Pick<Context, "settings">, record: SessionRecord): CapturedScreen {
  const lines = record.last_lines;
  const cursor = { column: 0, row: Math.max(0, lines.length - 1), visible: false };
  return {
    session_id: record.id,
    lines,
    columns: ctx.settings.columns,
    rows: lines.length,
    cursor,
    title: "",
    live: false,
    captured_at: record.updated_at,
  };
}

interface AttachInput {
  readonly session: string;
  readonly read_only?: boolean | undefined;
  readonly resize?: boolean | undefined;
  readonly true_color?: boolean | undefined;
}

/**
 * The command that attaches a user's terminal, with `read_only` one that types nothing. @throws HOST_CANNOT, PANE_GONE, PANE_FOREIGN,
 * TMUX_UNRESPONSIVE and the like
 */
export async function attach(ctx: Context, input: AttachInput): Promise<Attachment> {
  const record = await requireActive(ctx, { session: input.session, verb: "attach to" });
  const pane = paneOf(record);
  ctx.host.requireCan(pane, "attach");
  await requirePresent(ctx, record);
  const readOnly = input.read_only ?? false;
  if (!readOnly) await followTerminals(ctx, pane);
  const session = factsOf(ctx, record);
  const how = { readOnly, keepSize: session.viewers > 0 && input.resize !== true, trueColor: input.true_color === true };
  const { nested = null, control } = ctx.host.at(pane);
  // A terminal that switched read-only would be read-only for every other session, too.
  const switches = control === "Tmux" && !readOnly;
  const within = switches ? { socket: pane.socket, argv: ctx.host.attachCommand(pane, { ...how, switching: true }) } : null;
  return { argv: ctx.host.attachCommand(pane, how), nested, within, session };
}

interface Attachment {
  readonly argv: readonly string[];
  readonly nested: string | null;
  /** For a terminal inside the tmux server at `socket`. */
  readonly within: { readonly socket: string; readonly argv: readonly string[] } | null;
  readonly session: SessionFacts;
}

/** A size set by a stream's viewer whose daemon was killed before its release has no owner. */
async function followTerminals(ctx: Pick<Context, "host">, pane: PaneIdentity): Promise<void> {
  try {
    await ctx.host.resize(pane, null);
  } catch (error) {
    // Adopted sessions are never resized.
    if (!hasCode(error, "PANE_FOREIGN")) throw error;
  }
}
