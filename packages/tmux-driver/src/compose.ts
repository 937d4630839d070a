import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { keyedQueue, type PaneIdentity } from "@tmpm/core";
import { cleanEnvironment, type EnvironmentSource, type ProcessTable, processEnded, processTable, serverScope } from "@tmpm/processes";
import { adoptPane, releasePane } from "./adopt.js";
import { arrivals } from "./arrivals.js";
import { attachArguments } from "./attach-command.js";
import { batched } from "./batched.js";
import { requireSupported } from "./capabilities.js";
import { captureScreen, captureScreens } from "./capture.js";
import type { Channel } from "./channel.js";
import { createPane } from "./create.js";
import { requireTag } from "./create-spec.js";
import { paneDirectories } from "./directories.js";
import type { TmuxDriver } from "./driver.js";
import { findPane, findRows, listPanes, MOST_ROWS } from "./find.js";
import { inTime } from "./in-time.js";
import { pressKeys } from "./keys.js";
import { killPane } from "./kill.js";
import { knownRoots } from "./known-roots.js";
import { lanes } from "./lanes.js";
import { once } from "./once.js";
import { heedingAbsence } from "./one-shot/absent-socket.js";
import { type ClientOptions, clientChannel } from "./one-shot/client.js";
import { paneStreams } from "./output/pane-streams.js";
import { pasteText } from "./paste.js";
import { renameSession } from "./rename.js";
import { resizeWindow } from "./resize.js";
import { MOST_SCREENS, readScreens } from "./screens.js";
import { type KnownServer, knownServer, type LookContext, type ServerContext } from "./server-context.js";
import { configPath, serverFiles } from "./server-files.js";
import { serverInformant } from "./server-info.js";
import { scopedClient, startingChannel } from "./server-scope.js";
import { resolveSocket, type SocketChoice } from "./socket.js";
import { tmuxProgram } from "./tmux-program.js";
import type { Watch } from "./watch.js";

export interface TmuxOptions {
  readonly socket: SocketChoice;
  /** A folder of our own for the configuration and launch files; made with mode 0700. */
  readonly stateDir: string;
  /** A word for the tmpm that creates and adopts through this driver, where several share a server. Letters, digits, `-` and `_`. */
  readonly home?: string;
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
  /** Resolves when no client of the transport's own arrives. */
  readonly settled?: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** The server starts every program itself, and answers nobody meanwhile: more at once would only keep the others waiting. */
const CREATES_AT_ONCE = 8;

/** Everything of a driver but how its commands travel. @throws SOCKET_PATH_TOO_LONG, INVALID_ARGUMENT for a bad socket */
export function composeDriver(options: TmuxOptions, transportOver: (oneShot: Channel, client: ClientOptions) => Transport): TmuxDriver {
  const client = clientOptions(options);
  const { program, env, nonce, deadlines } = client;
  const socket = resolveSocket(options.socket, env);
  const home = options.home ?? null;
  if (home !== null) requireTag(home, "home");
  const processes = processTable();
  const known = knownServer();
  const starting = startingChannel({
    plain: clientChannel(client),
    scoped: clientChannel(scopedClient(client)),
    runs: () => isRunning(known, processes),
    scope: once(() => serverScope(env)),
  });
  const oneShot = heedingAbsence(starting, socket.path);
  const transport = transportOver(oneShot, client);
  const looks: LookContext = {
    socket: socket.path,
    channel: client.arrivals.heeding(transport.channel),
    processes,
    known,
    roots: knownRoots(),
    now: () => options.clock?.now() ?? Date.now(),
    nonce,
  };
  const inOrder = keyedQueue();
  const context: ServerContext = {
    ...looks,
    starting: (task) => inOrder.run("server", task),
    row: batched((identities) => findRows(looks, identities), MOST_ROWS),
    screen: batched((queries) => readScreens(looks, queries), MOST_SCREENS),
  };
  const binary = tmuxProgram(client);
  const files = serverFiles(options);
  const creating = lanes(CREATES_AT_ONCE);
  const onPane = <T>(identity: PaneIdentity, task: () => Promise<T>) => inOrder.run(identity.pane_id, task);
  const watch = transport.watch(context);
  const streams = paneStreams(context, { client, everyMs: options.pollMs ?? 1000 });
  transport.onExit?.(streams.check);
  return {
    get transport() {
      return transport.name();
    },
    socket: socket.path,
    server: serverInformant(context, binary),
    list: () => listPanes(context),
    find: (identity) => findPane(context, identity),
    create: async (spec) => {
      requireSupported(await binary.version());
      await files.prepare();
      const pane = await creating.inTurn(() =>
        createPane(context, { spec, options: { launchDir: options.stateDir, patienceMs: deadlines.mutate, home } }),
      );
      // What the caller does on the server next, with a tmux of its own, nobody can hold back while our client arrives.
      if (transport.settled !== undefined) await inTime(transport.settled(), deadlines.mutate);
      return pane;
    },
    adopt: (identity, sessionId) => onPane(identity, () => adoptPane(context, { identity, sessionId, home })),
    release: (identity) => onPane(identity, () => releasePane(context, identity)),
    rename: (identity, name) => onPane(identity, () => renameSession(context, { identity, name })),
    resize: (identity, size) => onPane(identity, () => resizeWindow(context, { identity, size })),
    directories: (identities) => paneDirectories(context, identities),
    paste: (identity, text) => onPane(identity, () => pasteText(context, { identity, text })),
    keys: (identity, keys) => onPane(identity, () => pressKeys(context, { identity, keys })),
    capture: (identity, { history = 0 } = {}) => captureScreen(context, { identity, history }),
    captureMany: (identities, { history = 0 } = {}) =>
      captureScreens(
        context,
        identities.map((identity) => ({ identity, history })),
      ),
    kill: (identity, { graceMs }) => onPane(identity, () => killPane(context, { identity, graceMs })),
    watch: (listener) => watch.subscribe(listener),
    output: (identity, listener) => streams.open(identity, listener),
    attachCommand: (identity, how) => [
      program,
      "-u",
      ...(how?.trueColor === true ? ["-T", "RGB"] : []),
      ...socket.arguments,
      ...attachArguments(identity, how),
    ],
    async close() {
      watch.close();
      await Promise.all([streams.close(), transport.close()]);
    },
  };
}

function clientOptions(options: TmuxOptions): ClientOptions {
  const env = cleanEnvironment(options.env);
  return {
    program: options.tmux ?? "tmux",
    arguments: ["-u", "-f", configPath(options.stateDir), ...resolveSocket(options.socket, env).arguments],
    env,
    deadlines: options.deadlines ?? { read: 3000, mutate: 5000 },
    monotonic: () => performance.now(),
    nonce: options.randomId ?? randomUUID,
    arrivals: arrivals(),
  };
}

async function isRunning(known: KnownServer, processes: ProcessTable): Promise<boolean> {
  const server = known.last();
  return server !== null && !(await processEnded(processes, server));
}
