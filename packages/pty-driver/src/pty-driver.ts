import {
  type Answer,
  type CreateSpec,
  hasCode,
  type KillReport,
  keyNames,
  type OutputListener,
  type OutputSubscription,
  type PaneIdentity,
  type PaneInfo,
  type PaneSize,
  type Screen,
  type ServerEvent,
  type Subscription,
} from "@tmpm/core";
import { answered, holderSocket, requireNoHolder } from "@tmpm/holder";
import type { SessionHost } from "@tmpm/host";
import type { EnvironmentSource, ProcessTable } from "@tmpm/processes";
import { createTerminal } from "./create.js";
import { requireHistory, requireName } from "./create-spec.js";
import { type DriverContext, driverContext, patienceOf } from "./driver-context.js";
import { killTerminal } from "./kill.js";
import { requireShortLines } from "./line-limit.js";
import { findNodePty, probeNodePty } from "./node-pty.js";
import { captureScreen, directoryOf, findTerminal, listTerminals } from "./observe.js";
import { outputOf } from "./output.js";
import { requireSize } from "./terminal-size.js";

export interface PtyOptions {
  /** The folder of all holders; created when missing. With a session's id it has to stay below 100 bytes. */
  readonly base: string;
  /** A holder's program: the built `pty-holder` of this package. */
  readonly entry: string;
  /** The program that shows a session in a user's terminal: the built `pty-attach` of this package. */
  readonly attach: string;
  /** The source of programs' environments, filtered by `cleanEnvironment`. */
  readonly env: EnvironmentSource;
  /** The tag of the tmpm that owns these holders; every pane reports it. */
  readonly home?: string | null;
  /** Number of output bytes kept by each holder; 1 MiB by default. */
  readonly ringBytes?: number;
  /** How long a holder may take to answer, in milliseconds; 5,000 by default. */
  readonly patienceMs?: number;
  readonly table?: ProcessTable;
  /** The path of node-pty. @throws HOST_UNAVAILABLE */
  readonly nodePty?: () => string;
}

/**
 * Sessions in PTYs of tmpm: one holder process each, which owns the terminal and outlives the process that started it. Calls may be
 * concurrent; effects on one terminal happen in call order, and reach exactly the holder of `identity`, or none.
 * @throws PANE_GONE, PANE_FOREIGN, PANE_DEAD (effect none); UNRESPONSIVE for a holder that does not answer; HOST_UNAVAILABLE without
 * node-pty
 */
export interface PtyDriver {
  readonly control: "Pty";
  readonly place: string;
  readonly cannot: { readonly adopt: { readonly why: string; readonly instead: string } };
  holds(socket: string): boolean;
  available(): Promise<
    { readonly kind: "available"; readonly detail: string } | { readonly kind: "missing"; readonly reason: string; readonly hint: string }
  >;
  list(): Promise<Answer<readonly PaneInfo[]>>;
  listAgain(): Promise<Answer<readonly PaneInfo[]>>;
  /** @throws UNRESPONSIVE when a terminal of the session may run that `list` cannot describe */
  requireNone(sessionId: string): Promise<void>;
  find(identity: PaneIdentity): Promise<Answer<PaneInfo>>;
  /** @throws NAME_TAKEN, INVALID_ARGUMENT, DIRECTORY_NOT_FOUND, SOCKET_PATH_TOO_LONG */
  create(spec: CreateSpec): Promise<PaneInfo>;
  kill(identity: PaneIdentity, options: { readonly graceMs: number }): Promise<KillReport>;
  capture(identity: PaneIdentity, options?: { readonly history?: number }): Promise<Screen>;
  captureMany(identities: readonly PaneIdentity[], options?: { readonly history?: number }): Promise<readonly Answer<Screen>[]>;
  directories(identities: readonly PaneIdentity[]): Promise<readonly (string | null)[]>;
  watch(listener: (event: ServerEvent) => void): Subscription;
  attachCommand(identity: PaneIdentity, how?: { readonly readOnly?: boolean; readonly keepSize?: boolean }): readonly [string, ...string[]];
  keys(identity: PaneIdentity, keys: readonly string[]): Promise<void>;
  /** @throws LINE_TOO_LONG; RESOURCE_EXHAUSTED when 16 MiB are pending for a program that does not read */
  paste(identity: PaneIdentity, text: string): Promise<void>;
  output(identity: PaneIdentity, listener: OutputListener): Promise<OutputSubscription>;
  /**
   * Output from byte `from` on: complete while the holder keeps it, else beginning with a `gap`. Offsets count from the terminal's first
   * byte, here as in `output` and `replay`, for every client.
   */
  outputFrom(identity: PaneIdentity, options: { readonly from: number; readonly listener: OutputListener }): Promise<OutputSubscription>;
  /** At most `most` bytes from this one on, fewer only at the end of the output; null when the first has expired. */
  replay(identity: PaneIdentity, range: { readonly from: number; readonly most: number }): Promise<Uint8Array | null>;
  resize(identity: PaneIdentity, size: PaneSize | null): Promise<void>;
  rename(identity: PaneIdentity, tmuxName: string): Promise<void>;
  close(): Promise<void>;
}

export function ptyDriver(options: PtyOptions): PtyDriver {
  const context = driverContext(options);
  const { links, lane } = context;
  const nodePty = options.nodePty ?? findNodePty;
  const list = () => listTerminals(context);

  const ask = (identity: PaneIdentity, verb: string, call: { readonly args?: unknown; readonly bytes?: Uint8Array }) =>
    lane.run(identity.socket, async () => {
      await (await links.of(identity)).call(verb, call);
    });

  const output = async (identity: PaneIdentity, more: { readonly from: number | null; readonly listener: OutputListener }) => {
    const { folder, check } = await context.whereIs(identity);
    return outputOf({
      folder,
      check,
      ...more,
      patienceMs: patienceOf(options),
      paneOf: (link, info) => context.paneOf({ facts: link.facts, info }),
    });
  };

  const driver: PtyDriver = {
    control: "Pty",
    place: options.base,
    cannot: {
      adopt: { why: "a program that runs elsewhere cannot be moved into tmpm's terminal", instead: "Adopt it where it runs in tmux." },
    },
    holds: (socket) => socket.startsWith(`${options.base}/`),
    async available() {
      try {
        const path = nodePty();
        await probeNodePty(path);
        return { kind: "available", detail: `node-pty at ${path}` };
      } catch (error) {
        return {
          kind: "missing",
          reason: error instanceof Error ? error.message : String(error),
          hint: "Install node-pty, or install tmux.",
        };
      }
    },
    list,
    listAgain: list,
    requireNone: (sessionId) => withoutHolder(context, sessionId),
    find: (identity) => findTerminal(context, identity),
    create: (spec) => lane.run("create", () => createTerminal(context, { spec, nodePty })),
    kill: (identity, { graceMs }) => lane.run(identity.socket, () => killTerminal(context, { identity, graceMs })),
    capture: (identity, { history = 0 } = {}) => captureScreen(context, { identity, history }),
    async captureMany(identities, { history = 0 } = {}) {
      requireHistory(history);
      return Promise.all(identities.map((identity) => answered(() => captureScreen(context, { identity, history }))));
    },
    directories: (identities) => Promise.all(identities.map((identity) => directoryOf(context, identity))),
    watch: context.watch,
    attachCommand: ({ socket, server_pid, server_start }, { readOnly = false, keepSize = false } = {}) => [
      process.execPath,
      options.attach,
      socket,
      String(server_pid),
      String(server_start),
      ...(readOnly ? ["--read-only"] : []),
      ...(keepSize ? ["--keep-size"] : []),
    ],
    async keys(identity, keys) {
      await ask(identity, "keys", { args: { keys: keyNames(keys) } });
    },
    paste: (identity, text) =>
      lane.run(identity.socket, async () => {
        const link = await links.of(identity);
        await requireShortLines(text, async () => (await context.infoOf(link)).tty);
        await link.call("paste", { bytes: Buffer.from(text) });
      }),
    output: (identity, listener) => output(identity, { from: null, listener }),
    outputFrom: output,
    replay: (identity, range) => replayBytes(context, { identity, range }),
    async resize(identity, size) {
      if (size !== null) requireSize(size);
      // It keeps this size, since no other client resizes it.
      if (size !== null) await ask(identity, "resize", { args: { ...size } });
    },
    rename: (identity, tmuxName) => lane.run("create", () => context.rename(identity, requireName(tmuxName))),
    async close() {
      links.close();
    },
  };
  return driver satisfies SessionHost;
}

async function withoutHolder({ options: { base }, lane, table }: DriverContext, sessionId: string): Promise<void> {
  await lane.run(holderSocket(base, sessionId), () => requireNoHolder({ base, sessionId }, table));
}

/** The kept output of a terminal from a byte on; null when that byte has expired. */
async function replayBytes(
  { links }: DriverContext,
  { identity, range }: { readonly identity: PaneIdentity; readonly range: { readonly from: number; readonly most: number } },
): Promise<Uint8Array | null> {
  const link = await links.of(identity);
  try {
    const { value, bytes } = await link.call("replay", { args: range });
    return value === "kept" ? bytes : null;
  } catch (error) {
    // A holder started by an earlier version does not know the verb.
    if (hasCode(error, "INVALID_ARGUMENT")) return null;
    throw error;
  }
}
