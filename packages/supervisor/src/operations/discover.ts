import type { AgentProcess } from "@tmpm/agents";
import { type PaneInfo, type SessionRecord, type Timestamp, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { agentOfPane } from "../discovery/agent-of-pane.js";
import { isAbsentProgram, listAll, type Unobservable } from "../discovery/terminals.js";

/** A running terminal or agent that is not a session of ours: observed, and not touched. */
export interface Discovered {
  readonly origin: "tmux" | "native";
  /** Pid of the terminal's program, or of the native agent. */
  readonly name: string;
  /** Socket of its server; null for a native process, which cannot be controlled. */
  readonly socket: string | null;
  readonly pane_id: string | null;
  readonly pid: number;
  /** When a native process began. */
  readonly started_at: Timestamp | null;
  readonly agent: string;
  readonly cwd: string | null;
  readonly viewers: number | null;
  /** Whether `tmpm adopt` accepts it. */
  readonly adoptable: boolean;
  /** Why not; null when it does. */
  readonly reason: string | null;
}

export interface Discovery {
  readonly discovered: readonly Discovered[];
  readonly unobservable: readonly Unobservable[];
}

/** Finds unmanaged terminals on foreign tmux servers and ours, and agents outside every terminal. Touches none. */
export async function discover(ctx: Context, input: { readonly sockets?: readonly string[] | undefined }): Promise<Discovery> {
  const listed = await listHosts(ctx, input.sockets ?? []);
  const panes = listed.flatMap(({ panes }) => panes);
  const [records, processes] = await Promise.all([recordsById(ctx), ctx.agentProcesses()]);
  const strangers = panes.filter((pane) => !isSession(pane, records));
  const directories = await ctx.host.directories(strangers.map(({ identity }) => identity));
  const discovered = [
    ...strangers.map((pane, index) => fromPane(ctx, { pane, processes, cwd: directories[index] ?? null })),
    ...processes.filter((process) => !isIn(process, [...held(panes), ...sessionRoots(records)])).map(fromProcess),
  ];
  emitDiscovered(ctx, discovered);
  return { discovered, unobservable: listed.flatMap(({ silent }) => silent) };
}

interface Listed {
  readonly panes: readonly PaneInfo[];
  readonly silent: readonly Unobservable[];
}

/** Each host once, under any of its names. */
async function listHosts(ctx: Pick<Context, "foreign" | "host" | "settings">, more: readonly string[]): Promise<readonly Listed[]> {
  const foreign = [...ctx.settings.foreignSockets, ...more].map(ctx.foreign);
  const answers = await listAll([...ctx.host.own, ...foreign]);
  return answers.map(({ host, answer }) => {
    if (answer.kind === "unknown")
      return { panes: [], silent: isAbsentProgram(answer.error) ? [] : [{ socket: host.place, error: answer.error }] };
    return { panes: answer.kind === "present" ? answer.value : [], silent: [] };
  });
}

async function recordsById(ctx: Pick<Context, "store">): Promise<ReadonlyMap<string, SessionRecord>> {
  const entries = await ctx.store.list();
  return new Map(entries.flatMap((entry) => (entry.kind === "session" ? [[entry.record.id, entry.record] as const] : [])));
}

function isSession({ sessionId, identity }: PaneInfo, records: ReadonlyMap<string, SessionRecord>): boolean {
  const record = sessionId === null ? undefined : records.get(sessionId);
  return record?.pane?.pane_id === identity.pane_id && record.pane.socket === identity.socket;
}

/** The processes whose children belong to the host: its terminals' and its own. */
function held(panes: readonly PaneInfo[]): readonly number[] {
  return panes.flatMap(({ pid, identity }) => [pid, identity.server_pid]);
}

/** Likewise for our own sessions, also while their host does not answer. */
function sessionRoots(records: ReadonlyMap<string, SessionRecord>): readonly number[] {
  const active = [...records.values()].filter(({ state }) => state === "active");
  return active.flatMap(({ pid, pane }) => [pid, pane?.server_pid]).flatMap((root) => root ?? []);
}

function isIn({ pid, ancestors }: AgentProcess, roots: readonly number[]): boolean {
  return roots.some((root) => root > 0 && (pid === root || ancestors.includes(root)));
}

interface Sighting {
  readonly pane: PaneInfo;
  readonly processes: readonly AgentProcess[];
  readonly cwd: string | null;
}

function fromPane(ctx: Pick<Context, "settings">, { pane, processes, cwd }: Sighting): Discovered {
  const { identity, tmuxName, pid, viewers } = pane;
  const reason = obstacle(ctx, { pane, cwd });
  return {
    origin: "tmux",
    name: tmuxName,
    socket: identity.socket,
    pane_id: identity.pane_id,
    pid,
    started_at: null,
    agent: agentOfPane(pane, processes),
    cwd,
    viewers,
    adoptable: reason === null,
    reason,
  };
}

function obstacle(ctx: Pick<Context, "settings">, { pane, cwd }: Pick<Sighting, "pane" | "cwd">): string | null {
  if (pane.exit !== null) return "its program has ended";
  if (pane.home !== null && pane.home !== ctx.settings.homeTag) return "it belongs to another tmpm";
  return cwd === null ? "its directory cannot be determined" : null;
}

function fromProcess({ pid, agent, cwd, startedAt }: AgentProcess): Discovered {
  return {
    origin: "native",
    name: agent,
    socket: null,
    pane_id: null,
    pid,
    started_at: timestampFromMs(Math.floor(startedAt * 1000)),
    agent,
    cwd,
    viewers: null,
    adoptable: false,
    reason: "it does not run in a terminal that tmpm can control",
  };
}

function emitDiscovered(ctx: Pick<Context, "clock" | "discovery" | "emit">, discovered: readonly Discovered[]): void {
  const nowMs = ctx.clock.now();
  const natives = discovered.filter(({ origin }) => origin === "native");
  const fresh = ctx.discovery.before.replace({ keys: discovered.map(keyOf), natives }, nowMs);
  for (const one of discovered.filter((each) => fresh.has(keyOf(each)))) {
    const { origin, name, socket, pid } = one;
    ctx.emit({
      type: "session_discovered",
      at: timestampFromMs(nowMs),
      session_id: null,
      reason: `${origin}_found`,
      origin,
      name,
      server: socket,
      pid,
    });
  }
}

function keyOf({ socket, pane_id, pid, started_at }: Discovered): string {
  return `${socket} ${pane_id} ${pid} ${started_at}`;
}
