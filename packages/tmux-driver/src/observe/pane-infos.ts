import type { PaneInfo } from "../driver.js";
import type { ObserveContext } from "../server/server-context.js";
import { paneKey } from "./known-roots.js";
import { glanceOnce } from "./observe-server.js";
import { identityOf, type PaneContext, paneInfo, type SeenPane, seenPane } from "./pane-info.js";
import type { PaneRow, Rows, ServerRow } from "./pane-row.js";

/** The panes of a query with the system's facts about their programs. */
export async function paneInfos(context: ObserveContext, rows: Rows): Promise<PaneInfo[]> {
  const panes = rows.panes.map((row) => (row.pid === null ? { ...row, pid: rootPid(context, { row, server: rows.server }) } : row));
  const where = await withProcesses(context, { rows, panes: panes.filter(hasNoStatus) });
  return (await withLateStatus(context, { panes, where })).map((row) => paneInfo(row, where));
}

/** Queries the system only for new programs, and for those whose pane is dead without a status. */
export async function seenPanes(context: ObserveContext, rows: Rows): Promise<SeenPane[]> {
  const { server } = rows;
  const isNew = (row: PaneRow) => row.sessionId !== null && rootPid(context, { row, server }) !== row.pid;
  const where = await withProcesses(context, { rows, panes: rows.panes.filter((row) => hasNoStatus(row) && (row.dead || isNew(row))) });
  return (await withLateStatus(context, { panes: rows.panes, where })).map((row) => seenPane(row, where));
}

function hasNoStatus({ status, signal }: PaneRow): boolean {
  return status === null && signal === null;
}

/** A program that is gone now may have been reaped after its pane was checked: tmux has its status by now, or never will. */
async function withLateStatus(
  context: ObserveContext,
  { panes, where }: { readonly panes: readonly PaneRow[]; readonly where: PaneContext },
): Promise<readonly PaneRow[]> {
  const { rows, processes } = where;
  const isCollected = ({ pid }: PaneRow) => pid === null || processes.get(pid)?.parent !== rows.server.pid;
  const isLate = (row: PaneRow) => row.dead && hasNoStatus(row) && isCollected(row);
  if (!panes.some(isLate)) return panes;
  const seen = await glanceOnce(context, ({ paneFacts }) => [["list-panes", "-a", "-f", "#{pane_dead}", "-F", paneFacts]]);
  if (seen.kind !== "seen" || seen.rows.server.pid !== rows.server.pid) return panes;
  const later = new Map(seen.rows.panes.map((row) => [row.paneId, row]));
  return panes.map((row) => {
    const { status = null, signal = null, deadAt = null } = later.get(row.paneId) ?? {};
    return isLate(row) ? { ...row, status, signal, deadAt: deadAt ?? row.deadAt } : row;
  });
}

interface Where {
  readonly row: PaneRow;
  readonly server: ServerRow;
}

/** The program's process, or its last known one: tmux 3.8 drops it at the end. Null when it was never seen. */
export function pidOf(context: ObserveContext, { row, server }: Where): number | null {
  return row.pid ?? rootPid(context, { row, server });
}

function rootPid({ roots, socket }: ObserveContext, { row, server }: Where): number | null {
  return roots.of(paneKey(identityOf(row, { socket, server })))?.process.pid ?? null;
}

async function withProcesses(
  { processes, roots, socket, now }: ObserveContext,
  { rows, panes }: { readonly rows: Rows; readonly panes: readonly PaneRow[] },
): Promise<PaneContext> {
  const found = await processes.some(panes.flatMap(({ pid }) => pid ?? []));
  for (const row of panes) roots.remember(row, { server: rows.server, process: row.pid === null ? undefined : found.get(row.pid) });
  return { socket, rows, processes: found, now: now() };
}
