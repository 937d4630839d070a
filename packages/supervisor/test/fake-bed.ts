import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { job, type ServerBed } from "./bed.js";
import { lab } from "./lab.js";

const FOREIGN = "/fake/foreign.sock";

export async function fakeBed(): Promise<ServerBed> {
  const foreign = fakeTmux({ socket: FOREIGN });
  const nobody = fakeTmux({ socket: "/fake/nobody.sock" });
  const common = {
    programs: { sh: () => undefined },
    settings: { foreignSockets: [FOREIGN] },
    foreign: (socket: string) => (socket === FOREIGN ? foreign.driver : nobody.driver),
  };
  const l = lab(common);
  const { tmux } = l;
  return {
    sessions: l.sessions,
    store: l.store,
    events: l.events,
    faults: l.faults,
    driver: tmux.driver,
    job,
    cwd: "/w",
    foreign: {
      socket: FOREIGN,
      open: async (name) => foreign.openForeign(name, ["cat"], "/theirs"),
      close: async (name) => foreign.close(name),
    },
    onStep: l.onStep,
    restarted: l.restarted,
    anotherHome: () => {
      const other = lab({ ...common, tmux, home: "another" });
      return { sessions: other.sessions, store: other.store };
    },
    open: async (name) => tmux.openForeign(name, ["cat"], "/w"),
    close: async (name) => tmux.close(name),
    rename: async (name, to) => tmux.rename(name, to),
    end: async (record, status) => tmux.exit(record.id, status),
    killServer: async () => tmux.killServer(),
    restartServer: async () => tmux.restartServer(),
    stopServer: async () => tmux.stopServer(),
    continueServer: async () => tmux.continueServer(),
    dispose: () => l.sessions.close(),
  };
}
