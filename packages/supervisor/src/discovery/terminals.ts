import type { PaneIdentity, SessionRecord, TmpmError } from "@tmpm/core";
import type { Answer, PaneInfo } from "@tmpm/tmux-driver";
import type { Context } from "../context.js";

/** What one look at the tmux servers shows. */
export interface Terminals {
  /** Of all servers that answered. */
  readonly panes: readonly PaneInfo[];
  /** Exactly this pane; null when its server answered without it. Undefined when its server did not answer. */
  at(identity: PaneIdentity): PaneInfo | null | undefined;
  /** The panes that carry the session id, running ones first. */
  tagged(id: string): readonly PaneInfo[];
  /** The server at this socket answered. */
  answered(socket: string): boolean;
  readonly unobservable: readonly Unobservable[];
}

export interface Unobservable {
  readonly socket: string;
  readonly error: TmpmError;
}

/** Lists the panes of the own server and of every other that a session is on, each once and all at the same time. */
export async function lookAtTerminals(ctx: Context, records: readonly SessionRecord[]): Promise<Terminals> {
  const sockets = new Set([ctx.driver.socket, ...records.flatMap(socketsOf)]);
  const answers = await Promise.all([...sockets].map(async (socket) => ({ socket, answer: await listAt(ctx, socket) })));
  return terminalsOf(answers);
}

/** A stopped session may come back to where it was found. */
function socketsOf({ pane, adopted, state }: SessionRecord): readonly string[] {
  if (pane !== null) return [pane.socket];
  return adopted !== null && state === "stopped" ? [adopted.socket] : [];
}

export async function listAt(ctx: Context, socket: string): Promise<Answer<readonly PaneInfo[]>> {
  return socket === ctx.driver.socket ? ctx.driver.list() : ctx.foreign(socket).list();
}

export function terminalsOf(answers: readonly { readonly socket: string; readonly answer: Answer<readonly PaneInfo[]> }[]): Terminals {
  const panes = answers.flatMap(({ answer }) => (answer.kind === "present" ? answer.value : []));
  const byKey = new Map(panes.map((pane) => [terminalKey(pane.identity), pane]));
  const byTag = new Map<string, PaneInfo[]>();
  for (const pane of panes) {
    if (pane.sessionId !== null) byTag.set(pane.sessionId, [...(byTag.get(pane.sessionId) ?? []), pane]);
  }
  const silent = answers.flatMap(({ socket, answer }) => (answer.kind === "unknown" ? [{ socket, error: answer.error }] : []));
  const answered = new Set(answers.flatMap(({ socket, answer }) => (answer.kind === "unknown" ? [] : [socket])));
  return {
    panes,
    at: (identity) => (answered.has(identity.socket) ? (byKey.get(terminalKey(identity)) ?? null) : undefined),
    tagged: (id) => (byTag.get(id) ?? []).toSorted((a, b) => Number(a.exit !== null) - Number(b.exit !== null)),
    answered: (socket) => answered.has(socket),
    unobservable: silent,
  };
}

export function terminalKey({ socket, server_pid, server_start, pane_id }: PaneIdentity): string {
  return `${socket}:${server_pid}:${server_start}:${pane_id}`;
}
