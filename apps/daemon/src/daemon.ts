import { currentUid, type Location, makePrivateDir } from "@tmpm/api/local";
import { timestampFromMs } from "@tmpm/core";
import { healthAnswer } from "./answer.js";
import { handlers } from "./handlers.js";
import { listen } from "./listen.js";
import type { Log } from "./log.js";
import { server } from "./server.js";
import { wire } from "./wiring.js";

export interface DaemonOptions {
  readonly location: Location;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly version: string;
}

export interface Daemon {
  /** Resolves once somebody asked the daemon to stop. */
  readonly asked: Promise<void>;
  /** Finishes what is under way within the deadline and lets go of socket and lock. Sessions go on. */
  close(): Promise<void>;
}

const CLOSE_MS = 5_000;

/** Starts the daemon of a data folder. @throws DAEMON_RUNNING when another holds the folder, UNSAFE_PATH, STORE_READ_ONLY */
export async function daemon(options: DaemonOptions): Promise<Daemon> {
  const { location, env, log, version } = options;
  makePrivateDir(location.home, currentUid());
  const wired = await wire({ location, log, env });
  const stopping = new AbortController();
  let ask: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const startedAt = timestampFromMs(Date.now());
  const health = () => {
    const store = healthAnswer(wired.store.health());
    const failure = wired.eventLog.failure();
    const events = failure === null ? { state: "ok" as const, message: null } : { state: "degraded" as const, message: failure.message };
    const status = store.state === "ok" && failure === null ? ("ok" as const) : ("degraded" as const);
    return { status, version, pid: process.pid, started_at: startedAt, home: location.home, store, events };
  };
  const app = server({
    handlers: handlers({ supervisor: wired.supervisor, events: wired.events, health, doctor: wired.doctor, shutdown: () => ask() }),
    streams: { events: wired.events.stream },
    version,
    stopping: stopping.signal,
    report: ({ doing, error }) => log.error({ err: error }, doing),
  });
  const listening = await listen(app, location.socket);
  wired.supervisor.start();
  log.info({ version, socket: location.socket, home: location.home, tmux: location.tmuxSocket }, "started");
  return {
    asked,
    async close() {
      stopping.abort();
      listening.close();
      const ended = await within(
        CLOSE_MS,
        app.close().then(() => wired.close()),
      );
      if (!ended) log.warn("some work did not end in time");
      log.info("stopped");
    },
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const deadline = new Promise<false>((resolve) => setTimeout(resolve, ms, false).unref());
  return Promise.race([work.then(() => true), deadline]);
}
