import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { type PaneIdentity, TmpmError } from "@tmpm/core";
import { execa } from "execa";
import { attachArguments } from "./attach-command.js";
import { requireSupported } from "./capabilities.js";
import { captureScreen, captureScreens } from "./capture.js";
import type { Channel } from "./channel.js";
import { createPane } from "./create.js";
import type { TmuxDriver } from "./driver.js";
import { spawnError } from "./failure.js";
import { findPane, findServer, listPanes } from "./find.js";
import { pressKeys } from "./keys.js";
import { killPane } from "./kill.js";
import { knownRoots } from "./known-roots.js";
import { once } from "./once.js";
import { type ClientOptions, clientChannel } from "./one-shot/client.js";
import { paneStreams } from "./output/pane-streams.js";
import { pasteText } from "./paste.js";
import { processTable } from "./process-table.js";
import { serial } from "./serial.js";
import { knownServer, type ServerContext } from "./server-context.js";
import { type EnvironmentSource, serverEnvironment } from "./server-environment.js";
import { configPath, serverFiles } from "./server-files.js";
import { resolveSocket, type SocketChoice } from "./socket.js";
import type { Watch } from "./watch.js";

export interface TmuxOptions {
  readonly socket: SocketChoice;
  /** A folder of our own for the configuration and launch files; made with mode 0700. */
  readonly stateDir: string;
  /** Where the environment of a server comes from; a fixed list of names is taken of it. */
  readonly env: EnvironmentSource;
  readonly clock?: { now(): number };
  /** Milliseconds until a call counts as unanswered. Default 3000 and 5000. */
  readonly deadlines?: { readonly read: number; readonly mutate: number };
  /** How often `watch` looks, in milliseconds. Default 1000. */
  readonly pollMs?: number;
  /** What a new server takes of the person's own configuration. Default `keys`: prefix, mode keys, mouse. */
  readonly userConfig?: "keys" | "all";
  /** The program. Default `tmux`, looked up in `PATH`. */
  readonly tmux?: string;
  /** Never the same word twice. */
  readonly randomId?: () => string;
}

/** How commands travel, made from a channel that runs a process for each. */
export interface Transport {
  readonly name: () => TmuxDriver["transport"];
  readonly channel: Channel;
  readonly watch: (context: ServerContext) => Watch;
  /** Calls back whenever a program may have ended, as far as the transport is told. */
  readonly onExit?: (check: () => void) => void;
  readonly close: () => Promise<void>;
}

/** Everything of a driver but how its commands travel. @throws SOCKET_PATH_TOO_LONG, INVALID_ARGUMENT for a bad socket */
export function composeDriver(options: TmuxOptions, transportOver: (oneShot: Channel, client: ClientOptions) => Transport): TmuxDriver {
  const client = clientOptions(options);
  const { program, env, nonce, deadlines } = client;
  const socket = resolveSocket(options.socket, env);
  const transport = transportOver(clientChannel(client), client);
  const context: ServerContext = {
    socket: socket.path,
    channel: transport.channel,
    processes: processTable(),
    known: knownServer(),
    roots: knownRoots(),
    now: () => options.clock?.now() ?? Date.now(),
    nonce,
  };
  const ready = once(() => requireProgram(program, env));
  const files = serverFiles(options);
  const inOrder = serial();
  const onPane = <T>(identity: PaneIdentity, task: () => Promise<T>) => inOrder(identity.pane_id, task);
  const watch = transport.watch(context);
  const streams = paneStreams(context, { client, everyMs: options.pollMs ?? 1000 });
  transport.onExit?.(streams.check);
  return {
    get transport() {
      return transport.name();
    },
    socket: socket.path,
    server: () => findServer(context),
    list: () => listPanes(context),
    find: (identity) => findPane(context, identity),
    create: async (spec) => {
      await ready();
      await files.prepare();
      return createPane(context, { spec, options: { launchDir: options.stateDir, patienceMs: deadlines.mutate } });
    },
    paste: (identity, text) => onPane(identity, () => pasteText(context, { identity, text })),
    keys: (identity, keys) => onPane(identity, () => pressKeys(context, { identity, keys })),
    capture: (identity, { history = 0 } = {}) => captureScreen(context, { identity, history }),
    captureMany: (identities, { history = 0 } = {}) => captureScreens(context, { identities, history }),
    kill: (identity, { graceMs }) => onPane(identity, () => killPane(context, { identity, graceMs })),
    watch: (listener) => watch.subscribe(listener),
    output: (identity, listener) => streams.open(identity, listener),
    attachCommand: (identity) => [program, "-u", ...socket.arguments, ...attachArguments(identity)],
    async close() {
      watch.close();
      await Promise.all([streams.close(), transport.close()]);
    },
  };
}

function clientOptions(options: TmuxOptions): ClientOptions {
  const env = serverEnvironment(options.env);
  return {
    program: options.tmux ?? "tmux",
    arguments: ["-u", "-f", configPath(options.stateDir), ...resolveSocket(options.socket, env).arguments],
    env,
    deadlines: options.deadlines ?? { read: 3000, mutate: 5000 },
    monotonic: () => performance.now(),
    nonce: options.randomId ?? randomUUID,
  };
}

/** @throws TMUX_NOT_FOUND, TMUX_TOO_OLD */
async function requireProgram(program: string, env: Readonly<Record<string, string>>): Promise<void> {
  const result = await execa(program, ["-V"], { env, extendEnv: false, reject: false, timeout: 3000, killSignal: "SIGKILL" });
  if (result.exitCode === undefined) throw spawnError(result.code ?? "unknown", program);
  const version = /^tmux (\S+)$/.exec(result.stdout.trim())?.[1];
  if (version === undefined) throw new TmpmError("TMUX_NOT_FOUND", `${program} is not tmux`);
  requireSupported(version);
}
