import { isTerminal, type PaneInfo, type SessionRecord, TmpmError } from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import type { Context } from "../context.js";
import { adoptPane, idOfPane } from "../discovery/adopt-pane.js";
import { bindPane, importedFor } from "../discovery/bind-pane.js";
import { isAbsentProgram, listAll } from "../discovery/terminals.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession, notControllable } from "../find-session.js";
import { discover } from "./discover.js";

export interface AdoptInput {
  /** The tmux session's exact name, or the id of a pane (`%3`). */
  readonly target: string;
  /** The tmux server: a socket's path, or a name in tmux's own folder. Default: every known server. */
  readonly socket?: string | undefined;
  readonly agent?: string | undefined;
  readonly name?: string | undefined;
  /** The stopped session to bind the terminal to. By default, a session imported from there is found automatically. */
  readonly as?: string | undefined;
}

/**
 * Begins to manage a terminal opened by another user. It is tagged, and nothing else of it or of its server is changed.
 * @throws SESSION_NOT_FOUND, HOST_CANNOT for an agent outside every terminal, SESSION_AMBIGUOUS with `details.candidates`, ALREADY_MANAGED,
 * PANE_DEAD, PANE_FOREIGN, NAME_TAKEN, DIRECTORY_NOT_FOUND, AGENT_UNKNOWN,
 * and errors of driver and store
 */
export async function adopt(ctx: Context, input: AdoptInput): Promise<SessionFacts> {
  if (input.target === "")
    throw new TmpmError("INVALID_ARGUMENT", "a tmux session without a name cannot be adopted", { details: { field: "target" } });
  const pane = await findPane(ctx, input);
  const owner = input.as === undefined ? await importedOwner(ctx, pane) : await findSession(ctx, input.as);
  if (owner !== null) return factsOf(ctx, await takeOver(ctx, { input, pane, owner }));
  const id = await freeId(ctx, pane);
  const record = await ctx.queue.run(id, async () => {
    await requireUnmanaged(ctx, { pane, id });
    return adoptPane(ctx, { pane, id, agent: input.agent, name: input.name, reason: "adopted_by_request" });
  });
  return factsOf(ctx, record);
}

async function importedOwner(ctx: Pick<Context, "host" | "store">, pane: PaneInfo): Promise<SessionRecord | null> {
  if (pane.sessionId !== null) return null;
  const [directory = null] = await ctx.host.directories([pane.identity]);
  const entries = await ctx.store.list();
  return importedFor({ pane, directory, records: entries.flatMap((entry) => (entry.kind === "session" ? [entry.record] : [])) });
}

interface TakingOver {
  readonly input: AdoptInput;
  readonly pane: PaneInfo;
  readonly owner: SessionRecord;
}

/** The record already has a name and an agent. */
function takeOver(ctx: Context, { input, pane, owner }: TakingOver): Promise<SessionRecord> {
  if (input.as !== undefined && (input.name !== undefined || input.agent !== undefined))
    throw new TmpmError("INVALID_ARGUMENT", "an existing session keeps its name and agent", { details: { field: "as" } });
  return ctx.queue.run(owner.id, async () => {
    await requireUnmanaged(ctx, { pane, id: pane.sessionId ?? idOfPane(ctx, pane.identity) });
    return bindPane(ctx, { pane, record: await findSession(ctx, owner.id), reason: "adopted_by_request" });
  });
}

/** @throws SESSION_NOT_FOUND, SESSION_AMBIGUOUS, PANE_DEAD; TMUX_UNRESPONSIVE and the like when no answering server has it */
async function findPane(ctx: Context, { target, socket }: AdoptInput): Promise<PaneInfo> {
  const everywhere = () => [...ctx.host.own.filter((host) => host.adopt !== undefined), ...ctx.settings.foreignSockets.map(ctx.foreign)];
  const answers = await listAll(socket === undefined ? everywhere() : [hostAt(ctx, socket)]);
  const panes = answers.flatMap(({ answer }) => (answer.kind === "present" ? answer.value : []));
  const matching = panes.filter(({ tmuxName, identity }) => tmuxName === target || identity.pane_id === target);
  const [pane, another] = matching;
  if (another !== undefined) throw ambiguous(target, matching);
  if (pane === undefined) {
    const silent = answers.flatMap(({ answer }) => (answer.kind === "unknown" ? [answer.error] : []));
    const places = answers.map(({ host }) => host.place);
    const doubt = silent.find((error) => !isAbsentProgram(error));
    throw doubt ?? (await native(ctx, target)) ?? silent[0] ?? notFound(target, places);
  }
  if (pane.exit !== null) throw new TmpmError("PANE_DEAD", `the program of tmux session ${pane.tmuxName} has ended`);
  return pane;
}

/** An agent that runs outside every host, by its pid or its name in the list of discoveries; null without one. */
async function native(ctx: Context, target: string): Promise<TmpmError | null> {
  const { discovered } = await discover(ctx, {});
  const found = discovered.find(({ origin, pid, name }) => origin === "native" && (target === String(pid) || target === name));
  return found === undefined ? null : notControllable(found);
}

/** Our own may be named by its place. */
function hostAt(ctx: Pick<Context, "foreign" | "host">, socket: string): SessionHost {
  return ctx.host.own.find(({ place }) => place === socket) ?? ctx.foreign(socket);
}

function notFound(target: string, sockets: readonly string[]): TmpmError {
  return new TmpmError("SESSION_NOT_FOUND", `no tmux session is named ${JSON.stringify(target)}`, {
    hint: "`tmpm discover` lists what can be adopted; `--socket` names another tmux server.",
    details: { target, sockets },
  });
}

function ambiguous(target: string, panes: readonly PaneInfo[]): TmpmError {
  const candidates = panes.map(({ tmuxName, identity }) => ({ name: tmuxName, socket: identity.socket, pane_id: identity.pane_id }));
  const shown = candidates.map(({ socket, pane_id }) => `${pane_id} on ${socket}`).join(", ");
  return new TmpmError("SESSION_AMBIGUOUS", `${JSON.stringify(target)} could be ${candidates.length} panes: ${shown}`, {
    hint: "Name the pane by its id, and its server with --socket.",
    details: { target, candidates },
  });
}

/** A previously released terminal is a new session. */
async function freeId(ctx: Pick<Context, "newId" | "settings" | "store">, { identity, sessionId }: PaneInfo): Promise<string> {
  const id = sessionId ?? idOfPane(ctx, identity);
  const known = await ctx.store.get(id);
  return known?.kind === "session" && isTerminal(known.record) && sessionId === null ? ctx.newId() : id;
}

/** @throws ALREADY_MANAGED, PANE_FOREIGN */
async function requireUnmanaged(
  ctx: Pick<Context, "settings" | "store">,
  { pane, id }: { readonly pane: PaneInfo; readonly id: string },
): Promise<void> {
  if (pane.home !== null && pane.home !== ctx.settings.homeTag) {
    throw new TmpmError("PANE_FOREIGN", `tmux session ${pane.tmuxName} belongs to another tmpm`, { details: { tmux_name: pane.tmuxName } });
  }
  const known = await ctx.store.get(id);
  if (known === null) return;
  const name = known.kind === "session" ? known.record.name : known.id;
  throw new TmpmError("ALREADY_MANAGED", `tmux session ${pane.tmuxName} is already session ${name}`, { details: { id, name } });
}
