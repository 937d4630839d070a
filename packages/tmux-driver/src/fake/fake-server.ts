import type { PaneIdentity } from "@tmpm/core";
import { tmuxName as tmuxNameOf } from "../create/tmux-name.js";
import type { PaneInfo, ServerEvent, ServerInfo } from "../driver.js";
import { foreignServer, paneGone } from "../effects/guard.js";
import { nameTaken } from "../effects/rename.js";
import type { FakeClock } from "./fake-clock.js";
import { type FakePane, fakePane, type PaneStart } from "./fake-pane.js";
import { type FakePrograms, programFor } from "./programs.js";

export interface FakeServerOptions {
  readonly socket: string;
  readonly clock: FakeClock;
  readonly programs: FakePrograms;
  readonly emit: (event: ServerEvent) => void;
}

/** The fake server on one socket: at most one generation at a time, with pane ids from %0. */
export interface FakeServer {
  /** Null when none runs. */
  generation(): ServerInfo | null;
  panes(): readonly FakePane[];
  /** Starts a server when none runs. @throws NAME_TAKEN */
  open(start: Omit<PaneStart, "paneId" | "pid">): FakePane;
  /** @throws NAME_TAKEN */
  rename(pane: FakePane, tmuxName: string): void;
  /** Attaches a user's terminal; returns a function that detaches it. */
  attachViewer(pane: FakePane): () => void;
  /** Removes the pane and its session. */
  remove(pane: FakePane): void;
  /** Ends the server and every pane. */
  end(): void;
  start(): void;
  /** The pane of this identity, on any server. @throws PANE_FOREIGN for another server, PANE_GONE */
  pane(identity: PaneIdentity): FakePane;
  identity(pane: FakePane): PaneIdentity;
  info(pane: FakePane): PaneInfo;
}

const VERSION = "3.3a";

export function fakeServer({ socket, clock, programs, emit }: FakeServerOptions): FakeServer {
  let nextPid = 1000;
  let nextPane = 0;
  let generation: ServerInfo | null = null;
  let panes: FakePane[] = [];

  const start = () => {
    nextPane = 0;
    generation ??= {
      socket,
      pid: nextPid++,
      start: Math.floor(clock.now() / 1000),
      version: VERSION,
      programVersion: VERSION,
      cgroup: null,
    };
    return generation;
  };
  const identity = (pane: FakePane): PaneIdentity => {
    const server = generation ?? start();
    return { socket, server_pid: server.pid, server_start: server.start, pane_id: pane.paneId };
  };
  const emitPane = (type: "opened" | "closed" | "exited" | "active", pane: FakePane) => {
    if (panes.includes(pane)) emit({ type, pane: identity(pane), sessionId: pane.sessionId });
  };
  const remove = (pane: FakePane) => {
    emitPane("closed", pane);
    panes = panes.filter((other) => other !== pane);
    for (const tap of pane.taps) tap.ended("closed");
  };
  return {
    generation: () => generation,
    panes: () => panes,
    open(wanted) {
      if (panes.some(({ tmuxName }) => tmuxName === wanted.tmuxName)) {
        throw nameTaken(wanted.tmuxName);
      }
      if (generation === null) start();
      const place = { paneId: `%${nextPane++}`, pid: nextPid++ };
      const pane = fakePane({ ...wanted, ...place }, { program: programFor(wanted.argv, programs), host: { clock, emit: emitPane } });
      panes = [...panes, pane];
      emitPane("opened", pane);
      if (pane.exit !== null) emitPane("exited", pane);
      return pane;
    },
    rename(pane, tmuxName) {
      const name = tmuxNameOf(tmuxName);
      if (panes.some((other) => other !== pane && other.tmuxName === name)) throw nameTaken(name);
      pane.tmuxName = name;
      emit({ type: "renamed", pane: identity(pane), sessionId: pane.sessionId, tmuxName: name });
    },
    attachViewer(pane) {
      const change = (by: 1 | -1) => {
        pane.viewers += by;
        if (!panes.includes(pane)) return;
        emit({ type: "viewers", pane: identity(pane), sessionId: pane.sessionId, viewers: pane.viewers });
      };
      let attached = true;
      change(1);
      return () => {
        if (attached) change(-1);
        attached = false;
      };
    },
    remove,
    end() {
      for (const pane of panes) {
        remove(pane);
        pane.end({ signal: 1 });
      }
      generation = null;
    },
    start,
    pane(wanted) {
      if (generation === null) throw paneGone(wanted);
      if (generation.pid !== wanted.server_pid || generation.start !== wanted.server_start) throw foreignServer(wanted);
      const found = panes.find(({ paneId }) => paneId === wanted.pane_id);
      if (found === undefined) throw paneGone(wanted);
      return found;
    },
    identity,
    info: (pane) => infoOf(pane, identity(pane)),
  };
}

function infoOf(pane: FakePane, identity: PaneIdentity): PaneInfo {
  return {
    identity,
    tmuxName: pane.tmuxName,
    sessionId: pane.sessionId,
    home: pane.home,
    pid: pane.pid,
    exit: pane.exit,
    inMode: pane.inMode,
    viewers: pane.viewers,
    columns: pane.columns,
    rows: pane.rows,
    activeAt: pane.activeAt,
    foreground: pane.exit === null ? pane.foreground === null : null,
    command: pane.foreground ?? (pane.argv[0] ?? "").split("/").at(-1) ?? "",
  };
}
