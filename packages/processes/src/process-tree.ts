import type { ProcessInfo, ProcessTable } from "./process-table.js";
import { sessionMark } from "./session-mark.js";

/** The program of a session, for when its parent is gone and can no longer report it. */
export interface KnownRoot {
  readonly sessionId: string;
  readonly process: ProcessInfo;
}

/** Where to look for the processes of a session. */
export interface TreeQuery {
  /** What started the program: a tmux server, a holder. */
  readonly serverPid: number;
  /** Null when it is no longer known. */
  readonly rootPid: number | null;
  readonly sessionId: string;
}

/**
 * The session's own program and everything that came of it: descendants, its terminal session, what has its terminal open, and what carries the session's mark
 * or its id in the environment.
 * Never the server, ourselves, or what we descend from. A pid counts as the program only while it is the server's child: that of one that has ended may be reused.
 */
export async function processTree(
  table: ProcessTable,
  query: TreeQuery & { readonly known: readonly ProcessInfo[] },
): Promise<ProcessInfo[]> {
  const all = await running(table);
  const still = stillThere(all, query.known);
  const carriers = await carriersOf(table, { sessionId: query.sessionId, still });
  const root = all.find(({ pid, parent }) => pid === query.rootPid && parent === query.serverPid);
  // Later the root may be gone; who opens its terminal by then is a child of what is known.
  const holders = new Set(root === undefined || still.length > 0 ? [] : await table.withTerminalOf(root.pid));
  const isFirst = (info: ProcessInfo) => info === root || carriers.has(info.pid) || holders.has(info.pid);
  const first = all.filter((info) => isFirst(info) || (root !== undefined && info.session === root.pid));
  return descendants(all, { first: [...still, ...first], spared: new Set([query.serverPid]) });
}

/** What is left of a session whose server is gone: only what was seen before, or carries the session id in the terminal session that was. */
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

/** Looking at what every process carries is dear, so it is left until nothing else is there any more. */
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
