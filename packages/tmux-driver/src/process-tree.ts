import type { ProcessInfo, ProcessTable } from "./process-table.js";

/** Where to look for the processes of a pane. */
export interface TreeQuery {
  readonly serverPid: number;
  readonly rootPid: number;
  readonly sessionId: string;
  /** Found before: their children count too. */
  readonly known: readonly ProcessInfo[];
}

/**
 * The pane's own program and everything that came of it: descendants, its terminal session, and what carries the session id in its environment.
 * Never the server, ourselves, or what we descend from. A pid counts as the pane's program only while it is the server's child: a dead pane's pid may be anybody's.
 */
export async function processTree(table: ProcessTable, query: TreeQuery): Promise<ProcessInfo[]> {
  const all = (await table.all()).filter(({ zombie }) => !zombie);
  const byPid = new Map(all.map((info) => [info.pid, info]));
  const spared = new Set([query.serverPid, ...ancestors(byPid, process.pid)]);
  const carriers = new Set(await table.withEnvironment(`TMPM_SESSION_ID=${query.sessionId}`));
  const root = byPid.get(query.rootPid);
  const isOurs = root !== undefined && root.parent === query.serverPid;
  const found = new Map(query.known.filter((info) => byPid.get(info.pid)?.start === info.start).map((info) => [info.pid, info]));
  const add = (info: ProcessInfo) => {
    if (found.has(info.pid) || spared.has(info.pid)) return false;
    found.set(info.pid, info);
    return true;
  };
  if (isOurs) add(root);
  for (const info of all) if (carriers.has(info.pid) || (isOurs && info.session === root.pid)) add(info);
  while (
    all
      .filter((info) => found.has(info.parent))
      .map(add)
      .includes(true)
  );
  return [...found.values()];
}

function ancestors(byPid: ReadonlyMap<number, ProcessInfo>, pid: number): number[] {
  const chain: number[] = [];
  for (let at = byPid.get(pid); at !== undefined && !chain.includes(at.pid); at = byPid.get(at.parent)) chain.push(at.pid);
  return chain;
}
