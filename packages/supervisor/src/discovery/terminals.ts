import type { Answer, PaneIdentity, PaneInfo, SessionRecord, TmpmError } from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import type { Context } from "../context.js";

/** The result of observing the hosts. */
export interface Terminals {
  /** Of all hosts that answered. */
  readonly panes: readonly PaneInfo[];
  /** Exactly this terminal; null when its host answered without it. Undefined when its host did not answer. */
  at(identity: PaneIdentity): PaneInfo | null | undefined;
  /** The terminals with the session id, running ones first. */
  tagged(id: string): readonly PaneInfo[];
  /** Whether the host with this socket, or of this place, answered. */
  answered(socket: string): boolean;
  readonly unobservable: readonly Unobservable[];
}

export interface Unobservable {
  /** The place of a host. */
  readonly socket: string;
  readonly error: TmpmError;
}

/** Lists the terminals of our own hosts and of every other host with a session, each once and concurrently. */
export async function observeTerminals(ctx: Pick<Context, "host">, records: readonly SessionRecord[]): Promise<Terminals> {
  const others = records.flatMap(socketsOf).map((socket) => ctx.host.at({ socket }));
  return terminalsOf(await listAll([...ctx.host.own, ...others]));
}

/** A host without its program has nothing to report. */
export function isAbsentProgram({ code }: TmpmError): boolean {
  return code === "TMUX_NOT_FOUND" || code === "HOST_UNAVAILABLE";
}

/** Each host once, however often it is named. */
export function listAll(hosts: readonly SessionHost[]): Promise<readonly Listed[]> {
  return Promise.all(onePerPlace(hosts).map(async (host) => ({ host, answer: await host.list() })));
}

export function onePerPlace(hosts: readonly SessionHost[]): readonly SessionHost[] {
  return [...new Map(hosts.map((host) => [host.place, host])).values()];
}

/** A stopped session may come back where it was found. */
function socketsOf({ pane, adopted, state }: SessionRecord): readonly string[] {
  if (pane !== null) return [pane.socket];
  return adopted !== null && state === "stopped" ? [adopted.socket] : [];
}

/** The terminals reported by a host. */
export interface Listed {
  readonly host: Pick<SessionHost, "place" | "holds">;
  readonly answer: Answer<readonly PaneInfo[]>;
}

export function terminalsOf(answers: readonly Listed[]): Terminals {
  const panes = answers.flatMap(({ answer }) => (answer.kind === "present" ? answer.value : []));
  const byKey = new Map(panes.map((pane) => [terminalKey(pane.identity), pane]));
  const byTag = new Map<string, PaneInfo[]>();
  for (const pane of panes) {
    if (pane.sessionId !== null) byTag.set(pane.sessionId, [...(byTag.get(pane.sessionId) ?? []), pane]);
  }
  const silent = answers.flatMap(({ host, answer }) => (answer.kind === "unknown" ? [{ socket: host.place, error: answer.error }] : []));
  const heard = answers.flatMap(({ host, answer }) => (answer.kind === "unknown" ? [] : [host]));
  const answered = (socket: string) => heard.some((host) => host.place === socket || host.holds(socket));
  return {
    panes,
    at: (identity) => (answered(identity.socket) ? (byKey.get(terminalKey(identity)) ?? null) : undefined),
    tagged: (id) => (byTag.get(id) ?? []).toSorted((a, b) => Number(a.exit !== null) - Number(b.exit !== null)),
    answered,
    unobservable: silent,
  };
}

export function terminalKey({ socket, server_pid, server_start, pane_id }: PaneIdentity): string {
  return `${socket}:${server_pid}:${server_start}:${pane_id}`;
}
