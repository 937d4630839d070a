import { type Answer, type ControlModel, type PaneIdentity, TmpmError } from "@tmpm/core";
import type { Conversation, HostScreen, HostVerb, SessionHost } from "@tmpm/host";

/** A foreign tmux server: a socket's path, or a name in tmux's own folder. @throws INVALID_ARGUMENT, SOCKET_PATH_TOO_LONG */
export type ForeignServer = (socket: string) => SessionHost;

type OnTerminal = Required<
  Pick<
    SessionHost,
    | "find"
    | "kill"
    | "capture"
    | "captureMany"
    | "directories"
    | "attachCommand"
    | "keys"
    | "paste"
    | "output"
    | "resize"
    | "adopt"
    | "release"
    | "rename"
  >
>;

/**
 * All hosts as one: a call goes to the host of its terminal, so that operations do not depend on where a session runs.
 * @throws HOST_CANNOT for a verb that this host does not implement
 */
export interface Hosts extends OnTerminal {
  /** Hosts for new sessions, which report changes; in the order of preference for a session that names none. */
  readonly own: readonly SessionHost[];
  /** The host of a record. @throws HOST_UNAVAILABLE */
  of(control: ControlModel): SessionHost;
  /** The host of a terminal: one of ours, else a foreign tmux server. */
  at(identity: Pick<PaneIdentity, "socket">): SessionHost;
  isOwn(identity: Pick<PaneIdentity, "socket">): boolean;
  /** Null for an agent with a terminal. */
  conversation(identity: PaneIdentity): Conversation | null;
  /** @throws HOST_CANNOT */
  requireCan(identity: PaneIdentity, verb: HostVerb): void;
}

export function hosts({ own, foreign }: { readonly own: readonly SessionHost[]; readonly foreign: ForeignServer }): Hosts {
  const oneOfOurs = (socket: string) => own.find((host) => host.holds(socket));
  const at = ({ socket }: Pick<PaneIdentity, "socket">) => oneOfOurs(socket) ?? foreign(socket);
  return {
    own,
    of: (control) => own.find((host) => host.control === control) ?? unavailable(control),
    at,
    isOwn: ({ socket }) => oneOfOurs(socket) !== undefined,
    conversation: (identity) => at(identity).conversation ?? null,
    requireCan: (identity, verb) => requireCan(at(identity), verb),
    find: async (identity) => at(identity).find(identity),
    kill: async (identity, options) => at(identity).kill(identity, options),
    capture: async (identity, options) => at(identity).capture(identity, options),
    captureMany: (identities, options) => byHost<Answer<HostScreen>>({ identities, at }, (host, some) => host.captureMany(some, options)),
    directories: (identities) => byHost({ identities, at }, (host, some) => host.directories(some)),
    attachCommand: (identity, how) => having(at(identity), "attachCommand")(identity, how),
    keys: async (identity, keys) => having(at(identity), "keys")(identity, keys),
    paste: async (identity, text) => having(at(identity), "paste")(identity, text),
    output: async (identity, listener) => having(at(identity), "output")(identity, listener),
    resize: async (identity, size) => having(at(identity), "resize")(identity, size),
    adopt: async (identity, sessionId) => having(at(identity), "adopt")(identity, sessionId),
    release: async (identity) => having(at(identity), "release")(identity),
    // If terminals have no names, the record's is the only one.
    rename: async (identity, tmuxName) => at(identity).rename?.(identity, tmuxName),
  };
}

const NEEDED = {
  attachCommand: "attach",
  keys: "keys",
  paste: "type",
  output: "stream",
  resize: "resize",
  adopt: "adopt",
  release: "adopt",
} as const satisfies Partial<Record<keyof SessionHost, HostVerb>>;

function having<M extends keyof typeof NEEDED>(host: SessionHost, member: M): NonNullable<SessionHost[M]> {
  const call = host[member];
  if (call === undefined) throw hostCannot(host, NEEDED[member]);
  return call;
}

function requireCan(host: SessionHost, verb: HostVerb): void {
  if (host.cannot[verb] !== undefined) throw hostCannot(host, verb);
}

export function hostCannot({ control, cannot }: Pick<SessionHost, "control" | "cannot">, verb: HostVerb): TmpmError {
  const { why, instead } = cannot[verb] ?? { why: `it has no way to ${verb}`, instead: null };
  return new TmpmError("HOST_CANNOT", `${why} (host ${hostName(control)})`, {
    ...(instead === null ? {} : { hint: instead }),
    details: { host: hostName(control), verb },
  });
}

export function hostName(control: ControlModel): string {
  return control.toLowerCase();
}

function unavailable(control: ControlModel): never {
  throw new TmpmError("HOST_UNAVAILABLE", `this daemon does not have host ${hostName(control)}`, {
    hint: "`tmpm doctor` lists the hosts.",
    details: { host: hostName(control) },
  });
}

type Some = readonly [PaneIdentity, ...PaneIdentity[]];

interface Spread {
  readonly identities: readonly PaneIdentity[];
  readonly at: Hosts["at"];
}

/** Queries each host for its own terminals, concurrently, and returns the answers in the order of the terminals. */
async function byHost<T>({ identities, at }: Spread, ask: (host: SessionHost, some: Some) => Promise<readonly T[]>): Promise<readonly T[]> {
  const groups = new Map<string, { readonly host: SessionHost; readonly some: Some }>();
  for (const identity of identities) {
    const host = at(identity);
    const group = groups.get(host.place);
    groups.set(host.place, { host, some: group === undefined ? [identity] : [...group.some, identity] });
  }
  const answers = await Promise.all(
    [...groups.values()].map(async ({ host, some }) => {
      const values = await ask(host, some);
      return some.map((identity, index) => [identity, values.slice(index, index + 1)] as const);
    }),
  );
  const byIdentity = new Map(answers.flat());
  return identities.flatMap((identity) => byIdentity.get(identity) ?? []);
}
