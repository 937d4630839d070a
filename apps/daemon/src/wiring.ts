import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { agentProcesses, agents, claude, codex, command, gemini, opencode, shell } from "@tmpm/agents";
import type { Location } from "@tmpm/api/local";
import { acquireDaemonLock, directoryStore } from "@tmpm/store";
import { type Supervisor, supervisor, systemClock } from "@tmpm/supervisor";
import { describeDirectory } from "@tmpm/workspace";
import { type Doctor, doctor } from "./doctor.js";
import { failpoint } from "./failpoint.js";
import type { Log } from "./log.js";
import { sessionEnv } from "./session-env.js";
import { foreignSockets, tmuxServers } from "./tmux-servers.js";

export interface WiringOptions {
  readonly location: Location;
  readonly log: Log;
  readonly env: NodeJS.ProcessEnv;
}

export interface Wired {
  readonly supervisor: Supervisor;
  readonly store: ReturnType<typeof directoryStore>;
  readonly doctor: Doctor;
  close(): Promise<void>;
}

/** The one place that names implementations. Takes the data folder's lock first, and lets go of it last. @throws DAEMON_RUNNING */
export async function wire({ location, log, env }: WiringOptions): Promise<Wired> {
  const lock = await acquireDaemonLock({ dir: location.home });
  const store = directoryStore({ base: join(location.home, "sessions") });
  const registry = agents([shell, command, claude, codex, gemini, opencode]);
  const tmux = tmuxServers({ location, env });
  const use = supervisor({
    driver: tmux.own,
    observer: tmux.observer,
    foreign: tmux.foreign,
    agentProcesses: () => agentProcesses(),
    store,
    agent: registry.find,
    describeDirectory,
    clock: systemClock,
    newId: randomUUID,
    emit: (event) => log.info(event, "event"),
    report: ({ doing, error }) => log.error({ err: error }, doing),
    reached: failpoint(env.TMPM_FAILPOINT),
    settings: {
      sessionEnv: sessionEnv({ env, location }),
      homeDir: homedir(),
      foreignSockets: foreignSockets(env),
      autoResume: env.TMPM_AUTO_RESUME !== "off",
    },
  });
  return {
    supervisor: use,
    store,
    doctor: doctor({ driver: tmux.own, store, adapters: registry.list(), env }),
    async close() {
      await use.close();
      await tmux.close();
      await store.close();
      await lock.release();
    },
  };
}
