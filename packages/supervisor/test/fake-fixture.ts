import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { fixture } from "./fixture.js";
import { job, type ServerHostFixture } from "./host-fixture.js";

const FOREIGN = "/fake/foreign.sock";

export async function fakeFixture(): Promise<ServerHostFixture> {
  const foreign = fakeTmux({ socket: FOREIGN });
  const empty = fakeTmux({ socket: "/fake/nobody.sock" });
  const common = {
    programs: { sh: () => undefined },
    settings: { foreignSockets: [FOREIGN] },
    foreign: (socket: string) => (socket === FOREIGN ? foreign.driver : empty.driver),
  };
  const l = fixture(common);
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
      const other = fixture({ ...common, tmux, home: "another" });
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
