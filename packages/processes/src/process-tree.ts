import type { ProcessInfo, ProcessTable } from "./process-table.js";
import { sessionMark } from "./session-mark.js";

/** The program of a session, for use when its parent is gone and can no longer report it. */
export interface KnownRoot {
  readonly sessionId: string;
  readonly process: ProcessInfo;
}

/** Where to search for the processes of a session. */
export interface TreeQuery {
  /** The parent of the program: a tmux server, a holder. */
  readonly serverPid: number;
  /** Null if unknown. */
  readonly rootPid: number | null;
  readonly sessionId: string;
}

/**
 * The session's own program and all its processes: descendants, its terminal session, processes that have its terminal open, and those with
 * the session's mark or its id in the environment. Never the server, ourselves, or our ancestors, nor a tmux server that one of them started
 * (`startedServers`). A pid counts as the program only while it is the server's child: the pid of an ended one may be reused.
 */
export async function processTree(
  table: ProcessTable,
  query: TreeQuery & { readonly known: readonly ProcessInfo[] },
): Promise<ProcessInfo[]> {
  const all = await running(table);
  const still = stillThere(all, query.known);
  const carriers = await carriersOf(table, { sessionId: query.sessionId, still });
  const root = all.find(({ pid, parent }) => pid === query.rootPid && parent === query.serverPid);
  // Later the root may be gone; a process that then opens its terminal is a child of a known one.
  const holders = new Set(root === undefined || still.length > 0 ? [] : await table.withTerminalOf(root.pid));
  // The session's own server may also have its mark, or its terminal open: by a daemon that the session started, or by a client in it.
  const isOther = (info: ProcessInfo) => isTmuxServer(info) && info.pid !== query.serverPid;
  const servers = all.filter((info) => isOther(info) && (carriers.has(info.pid) || holders.has(info.pid)));
  const inServers = servers.length === 0 ? [] : await startedIn(table, { all, servers, root });
  const elsewhere = descendants(all, { first: [...servers, ...inServers], spared: new Set() }).map(({ pid }) => pid);
  const isFirst = (info: ProcessInfo) => info === root || carriers.has(info.pid) || holders.has(info.pid);
  const first = all.filter((info) => isFirst(info) || (root !== undefined && info.session === root.pid));
  return descendants(all, { first: [...still, ...first], spared: new Set([query.serverPid, ...elsewhere]) });
}

/**
 * Processes started in these servers that have left their process tree, such as background programs. Excludes descendants of the session's
 * program.
 */
async function startedIn(table: ProcessTable, { all, servers, root }: InServers): Promise<readonly ProcessInfo[]> {
  const inTmux = await table.inTmux();
  const own = new Set(descendants(all, { first: root === undefined ? [] : [root], spared: new Set() }).map(({ pid }) => pid));
  return all.filter(({ pid }) => !own.has(pid) && servers.some((server) => server.pid === inTmux.get(pid)));
}

interface InServers {
  readonly all: readonly ProcessInfo[];
  readonly servers: readonly ProcessInfo[];
  readonly root: ProcessInfo | undefined;
}

/**
 * The tmux servers that a session's processes started: they outlive the session, because later sessions of any origin may run in them.
 * By pid.
 */
export async function startedServers(
  table: ProcessTable,
  { serverPid, sessionId }: Pick<TreeQuery, "serverPid" | "sessionId">,
): Promise<readonly number[]> {
  const servers = (await running(table)).filter((info) => isTmuxServer(info) && info.pid !== serverPid);
  if (servers.length === 0) return [];
  const carriers = await carriersOf(table, { sessionId, still: [] });
  return servers.map(({ pid }) => pid).filter((pid) => carriers.has(pid));
}

/** By the title that it gives itself on Linux; elsewhere no process that left its parent is found. It leads its own terminal session. */
function isTmuxServer({ command, session, pid }: ProcessInfo): boolean {
  return session === pid && /tmux\S*: server/.test(command);
}

/**
 * The remaining processes of a session whose server is gone: only those seen before, or with the session id in the former terminal session.
 */
export async function leftoverTree(
  table: ProcessTable,
  query: { readonly root: KnownRoot; readonly known: readonly ProcessInfo[] },
): Promise<ProcessInfo[]> {
  const { sessionId, process: root } = query.root;
  const all = await running(table);
  const still = stillThere(all, [root, ...query.known]);
  const carriers = await carriersOf(table, { sessionId, still });
  const first = all.filter((info) => info.session === root.pid && carriers.has(info.pid));
  return descendants(all, { first: [...still, ...first], spared: new Set() });
}

async function running(table: ProcessTable): Promise<ProcessInfo[]> {
  return (await table.all()).filter(({ zombie }) => !zombie);
}

/** Checking the environment of every process is expensive, so it is done last, when nothing else is left. */
async function carriersOf(
  table: ProcessTable,
  { sessionId, still }: { readonly sessionId: string; readonly still: readonly ProcessInfo[] },
): Promise<ReadonlySet<number>> {
  if (still.length > 0) return new Set();
  const [named, marked] = await Promise.all([table.withEnvironment(`TMPM_SESSION_ID=${sessionId}`), table.marked()]);
  const mark = sessionMark(sessionId);
  return new Set([...named, ...[...marked].flatMap(([pid, own]) => (own === mark ? [pid] : []))]);
}

function stillThere(all: readonly ProcessInfo[], known: readonly ProcessInfo[]): ProcessInfo[] {
  return known.filter((info) => all.some(({ pid, start }) => pid === info.pid && start === info.start));
}

function descendants(
  all: readonly ProcessInfo[],
  { first, spared }: { readonly first: readonly ProcessInfo[]; readonly spared: ReadonlySet<number> },
): ProcessInfo[] {
  const never = new Set([...spared, ...ancestors(all, process.pid)]);
  const found = new Map<number, ProcessInfo>();
  const add = (info: ProcessInfo) => {
    if (found.has(info.pid) || never.has(info.pid)) return false;
    found.set(info.pid, info);
    return true;
  };
  first.forEach(add);
  while (
    all
      .filter((info) => found.has(info.parent))
      .map(add)
      .includes(true)
  );
  return [...found.values()];
}

function ancestors(all: readonly ProcessInfo[], pid: number): number[] {
  const byPid = new Map(all.map((info) => [info.pid, info]));
  const chain: number[] = [];
  for (let at = byPid.get(pid); at !== undefined && !chain.includes(at.pid); at = byPid.get(at.parent)) chain.push(at.pid);
  return chain;
}
