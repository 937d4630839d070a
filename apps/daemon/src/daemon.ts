import { randomBytes } from "node:crypto";
import { currentUid, type Location, makePrivateDir } from "@tmpm/api/local";
import { timestampFromMs } from "@tmpm/core";
import { systemTimer } from "@tmpm/fleet";
import { admission } from "./admission.js";
import { healthAnswer } from "./answers/answer.js";
import type { LiveConfig } from "./config/live-config.js";
import { fleet } from "./fleet/fleet.js";
import { nodeLinks } from "./fleet/node-link.js";
import { closeDaemon } from "./lifecycle/close-daemon.js";
import { readiness } from "./lifecycle/readiness.js";
import { type Listening, listen } from "./listen/listen.js";
import { publicUrl } from "./listen/public-url.js";
import { tcpAddress } from "./listen/tcp-address.js";
import { load } from "./load/load.js";
import type { Log } from "./log/daemon-log.js";
import { logRequest } from "./log/log-request.js";
import { daemonGauges } from "./metrics/daemon-gauges.js";
import { followers } from "./metrics/followers.js";
import { viewerWires } from "./metrics/viewer-wires.js";
import { deviceNotices } from "./push/device-notices.js";
import { requireOwned } from "./requests/require-owned.js";
import { handlers } from "./routes/handlers.js";
import { server } from "./server/server.js";
import { watching } from "./streams/watching.js";
import { pricesOf } from "./usage/prices.js";
import { pageFiles } from "./web/page-files.js";
import { webDoor } from "./web/web-door.js";
import { wire } from "./wiring.js";

export interface DaemonOptions {
  readonly location: Location;
  readonly config: LiveConfig;
  readonly log: Log;
  /** Also writes the log to this file. */
  readonly keepLogIn?: (path: string) => void;
  readonly version: string;
  /** The built dashboard's folder; it may be missing. */
  readonly pageDir: string;
}

/** A daemon without its log file still works; `doctor` reports what is in its place. */
function keepLog({ keepLogIn, location, log }: DaemonOptions): void {
  try {
    keepLogIn?.(location.log);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    log.warn({ err: error }, "the log file cannot be written");
  }
}

export interface Daemon {
  /** Resolves once a stop is requested. */
  readonly asked: Promise<void>;
  /** Finishes work in progress within the deadline and releases socket and lock. Sessions keep running. */
  close(): Promise<void>;
}

/** Interval of closing connections whose token has expired, in ms. */
const SWEEP_MS = 10_000;

/** Starts the daemon of a data folder. @throws DAEMON_RUNNING if another one holds the folder, UNSAFE_PATH, STORE_READ_ONLY, LISTEN_REFUSED, LISTEN_FAILED */
export async function daemon(options: DaemonOptions): Promise<Daemon> {
  const { location, config, log, version } = options;
  const { env } = config;
  const tcp = tcpAddress(env);
  const published = publicUrl(env);
  makePrivateDir(location.home, currentUid());
  keepLog(options);
  const wired = await wire({ location, log, config, version });
  const stopping = new AbortController();
  const givingUp = new AbortController();
  let ask: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const report = ({ doing, error }: { readonly doing: string; readonly error: unknown }) => log.error({ err: error }, doing);
  let listening: Listening | null = null;
  const { guard, access, requests, push } = await admission({
    ...wired,
    version,
    report,
    async authoriseReport(reporter) {
      if (!wired.loopback.expects(reporter)) await wired.supervisor.authoriseReport(reporter);
    },
    entrance: () => listening?.tcp?.entrance ?? null,
  });
  const files = pageFiles(options.pageDir);
  const browsers = await webDoor({
    documents: wired.doorStore,
    newLabel: () => randomBytes(8).toString("hex"),
    listening: () => listening,
    hasPage: files.length > 0,
    report,
  });
  const toDevices = deviceNotices({ config, show: (session) => wired.supervisor.show({ session }), notify: push.notify, report });
  wired.onEvent(toDevices.hear);
  const startedAt = timestampFromMs(Date.now());
  const health = () => {
    const store = healthAnswer(wired.store.health());
    const failure = wired.eventLog.failure();
    const events = failure === null ? { state: "ok" as const, message: null } : { state: "degraded" as const, message: failure.message };
    const auditFailure = wired.audit.log.failure();
    const audit =
      auditFailure === null ? { state: "ok" as const, message: null } : { state: "degraded" as const, message: auditFailure.message };
    const status = store.state === "ok" && failure === null && auditFailure === null ? ("ok" as const) : ("degraded" as const);
    const listens = listening?.tcp === null || listening === null ? [] : [listening.tcp.url];
    const by =
      listens.length === 0
        ? {}
        : {
            listening_by: browsers.isOpen()
              ? ("web" as const)
              : config.fromFile.has("listen.address")
                ? ("file" as const)
                : ("environment" as const),
          };
    return {
      status,
      version,
      pid: process.pid,
      started_at: startedAt,
      home: location.home,
      store,
      events,
      audit,
      listening: listens,
      ...by,
    };
  };
  const ready = () =>
    readiness({
      store: () => healthAnswer(wired.store.health()).message,
      events: () => wired.eventLog.failure()?.message ?? null,
      audit: () => wired.audit.log.failure()?.message ?? null,
      recovered: wired.supervisor.isRecovered,
      tmux: wired.pulse.fault,
    });
  const wires = viewerWires(wired.metrics.viewed);
  const { terminals, upgrade } = watching({
    ...wired,
    guard,
    requests,
    version,
    ringBytes: config.values()["streams.buffer_bytes"],
    stopping: stopping.signal,
    report,
    wire: wires.wire,
  });
  const connect = nodeLinks({ env, location, version, timer: systemTimer });
  const nodes = await fleet({ stores: wired.nodeStores, location, connect, timer: systemTimer, report });
  const places = load();
  daemonGauges({ ...wired, places, terminals, wires });
  const app = server({
    handlers: handlers({
      supervisor: wired.supervisor,
      events: wired.events,
      health,
      ready,
      doctor: wired.doctor,
      loopback: wired.loopback,
      terminals,
      access,
      web: browsers.routes,
      nodes,
      notices: wired.notices,
      operations: wired.operations,
      prices: pricesOf(env),
      profiles: () => ({ profiles: config.profiles(), default: config.values()["new.profile"] }),
      shutdown: () => ask(),
    }),
    streams: { events: followers(wired.metrics.registry, wired.events.stream) },
    version,
    files,
    guard,
    answering: wired.answering,
    owned: (request) => requireOwned(wired.supervisor, request),
    authorise: wired.supervisor.authorise,
    audit: requests,
    stopping: stopping.signal,
    givingUp: givingUp.signal,
    load: places,
    registry: wired.metrics.registry,
    answered(request) {
      wired.metrics.request(request);
      logRequest(log, request);
    },
    report,
  });
  app.server.on("upgrade", upgrade);
  wired.audit.log.append({ kind: "opened", version, pid: process.pid });
  const doors = await listen(app, { guard, version, socket: location.socket, tcp, published, label: browsers.label, report });
  listening = doors;
  await browsers.reopen();
  const sweep = setInterval(() => guard.sweep(), SWEEP_MS).unref();
  config.follow({
    report,
    changed() {
      log.level = config.values()["log.level"];
      wired.notices.again();
      toDevices.again();
    },
  });
  wired.supervisor.start();
  log.info(
    { version, socket: location.socket, listening: doors.tcp?.url ?? null, home: location.home, tmux: location.tmuxSocket },
    "started",
  );
  return {
    asked,
    async close() {
      clearInterval(sweep);
      config.close();
      toDevices.close();
      await closeDaemon({
        stopping,
        givingUp,
        answered: () => Promise.all([terminals.close(), doors.close(), nodes.close()]),
        cut: doors.cut,
        flushed: () => Promise.all([app.close(), push.close()]).then(wired.close),
        warn: (message) => log.warn(message),
      });
      log.info("stopped");
    },
  };
}
