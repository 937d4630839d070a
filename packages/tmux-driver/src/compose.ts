import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { keyedQueue, type PaneIdentity } from "@tmpm/core";
import { cleanEnvironment, type EnvironmentSource, inTime, processTable, serverScope } from "@tmpm/processes";
import { requireSupported } from "./capabilities.js";
import { createPane } from "./create/create.js";
import { requireTag } from "./create/create-spec.js";
import type { TmuxDriver } from "./driver.js";
import { adoptPane, releasePane } from "./effects/adopt.js";
import { pressKeys } from "./effects/keys.js";
import { killPane } from "./effects/kill.js";
import { pasteText } from "./effects/paste.js";
import { renameSession } from "./effects/rename.js";
import { resizeWindow } from "./effects/resize.js";
import { batched } from "./observe/batched.js";
import { captureScreen, captureScreens } from "./observe/capture.js";
import { paneDirectories } from "./observe/directories.js";
import { findPane, findRows, listPanes, MOST_ROWS } from "./observe/find.js";
import { knownRoots } from "./observe/known-roots.js";
import { MOST_SCREENS, readScreens } from "./observe/screens.js";
import type { Watch } from "./observe/watch.js";
import { heedingAbsence } from "./one-shot/absent-socket.js";
import { type ClientOptions, clientChannel } from "./one-shot/client.js";
import { paneStreams } from "./output/pane-streams.js";
import { attachArguments } from "./server/attach-command.js";
import { mayBeBound } from "./server/bound-socket.js";
import { isServed } from "./server/is-served.js";
import { knownServer, type ObserveContext, type ServerContext, serverEnded } from "./server/server-context.js";
import { configPath, serverFiles } from "./server/server-files.js";
import { serverInformant } from "./server/server-info.js";
import { scopedClient, startingChannel } from "./server/server-scope.js";
import { resolveSocket, type SocketChoice } from "./server/socket.js";
import { socketKeeper } from "./server/socket-keeper.js";
import { tmuxProgram } from "./server/tmux-program.js";
import { arrivals } from "./transport/arrivals.js";
import type { Channel } from "./transport/channel.js";
import { lanes } from "./transport/lanes.js";

export interface TmuxOptions {
  readonly socket: SocketChoice;
  /** A folder of our own for configuration and launch files; created with mode 0700. */
  readonly stateDir: string;
  /** Identifies the tmpm that creates and adopts through this driver, on a shared server. Letters, digits, `-` and `_`. */
  readonly home?: string;
  /** The source of a server's environment, from which a fixed list of names is taken. */
  readonly env: EnvironmentSource;
  readonly clock?: { now(): number };
  /** Milliseconds until a call counts as unanswered. Default 3000 and 5000. */
  readonly deadlines?: { readonly read: number; readonly mutate: number };
  /** Interval of `watch`'s looks, in milliseconds. Default 1000. */
  readonly pollMs?: number;
  /** The part of the user's configuration that a new server uses. Default `keys`: prefix, mode keys, mouse. */
  readonly userConfig?: "keys" | "all";
  /** Makes a server recreate its removed socket; for a server of our own. Default false. */
  readonly keepsSocket?: boolean;
  /** The program. Default `tmux`, looked up in `PATH`. */
  readonly tmux?: string;
  /** Returns a unique word. */
  readonly randomId?: () => string;
}

/** The transport of commands, built on a channel that runs a process for each. */
export interface Transport {
  readonly name: () => TmuxDriver["transport"];
  readonly channel: Channel;
  readonly watch: (context: ServerContext) => Watch;
  /** Calls back whenever a program may have ended, as far as the transport is notified. */
  readonly onExit?: (check: () => void) => void;
  /** Resolves when none of the transport's own clients is attaching. */
  readonly settled?: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** The server starts every program itself, and serves no client in the meantime: more at once would only delay each other. */
const CREATES_AT_ONCE = 8;

/** Everything of a driver except its transport. @throws SOCKET_PATH_TOO_LONG, INVALID_ARGUMENT for a bad socket */
export function composeDriver(options: TmuxOptions, transportOver: (oneShot: Channel, client: ClientOptions) => Transport): TmuxDriver {
  const client = clientOptions(options);
  const { program, env, nonce, deadlines } = client;
  const socket = resolveSocket(options.socket, env);
  const home = options.home ?? null;
  if (home !== null) requireTag(home, "home");
  const processes = processTable();
  const known = knownServer(processes);
  const starting = startingChannel({
    plain: clientChannel(client),
    scoped: clientChannel(scopedClient(client)),
    runs: () => isRunning({ known, processes }),
    scope: () => serverScope(env),
  });
  const oneShot = heedingAbsence(starting, socket.path);
  const transport = transportOver(oneShot, client);
  const looks: ObserveContext = {
    socket: socket.path,
    channel: client.arrivals.heeding(transport.channel),
    processes,
    known,
    roots: knownRoots(),
    now: () => options.clock?.now() ?? Date.now(),
    nonce,
  };
  const inOrder = keyedQueue();
  const keeper = options.keepsSocket === true ? socketKeeper(looks) : null;
  const context: ServerContext = {
    ...looks,
    keeper,
    starting: (task) => inOrder.run("server", task),
    row: batched((identities) => findRows(looks, identities), MOST_ROWS),
    screen: batched((queries) => readScreens(looks, queries), MOST_SCREENS),
  };
  const binary = tmuxProgram(client);
  const files = serverFiles({ ...options, version: binary.version });
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
    isServed: () =>
      isServed({
        socket: socket.path,
        mayListen: async () => (await isRunning({ known, processes })) || mayBeBound({ socket: socket.path, processes }),
      }),
    async list() {
      await keeper?.look();
      return listPanes(context);
    },
    find: (identity) => findPane(context, identity),
    create: async (spec) => {
      requireSupported(await binary.version());
      await files.prepare();
      const pane = await creating.inTurn(() =>
        createPane(context, { spec, options: { launchDir: options.stateDir, patienceMs: deadlines.mutate, home } }),
      );
      // The caller's next command, run with a tmux of its own, cannot be delayed while our client connects.
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

async function isRunning(context: Pick<ObserveContext, "known" | "processes">): Promise<boolean> {
  const server = context.known.last();
  return server !== null && !(await serverEnded(context, server));
}
