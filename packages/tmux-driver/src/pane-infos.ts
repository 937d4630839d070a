import type { PaneInfo } from "./driver.js";
import { paneKey } from "./known-roots.js";
import { identityOf, type PaneContext, paneInfo, type SeenPane, seenPane } from "./pane-info.js";
import type { PaneRow, Rows, ServerRow } from "./pane-row.js";
import type { LookContext } from "./server-context.js";

/** The panes of a look with what the system tells of their programs. */
export async function paneInfos(context: LookContext, rows: Rows): Promise<PaneInfo[]> {
  const panes = rows.panes.map((row) => ({ ...row, pid: pidOf(context, { row, server: rows.server }) }));
  const open = panes.filter(({ status, signal }) => status === null && signal === null);
  const where = await withProcesses(context, { rows, panes: open });
  return panes.map((row) => paneInfo(row, where));
}

/** Asks the system only for programs that were not seen before, and for those whose pane is dead without a status. */
export async function seenPanes(context: LookContext, rows: Rows): Promise<SeenPane[]> {
  const { server } = rows;
  const isNew = (row: PaneRow) => row.sessionId !== null && rootPid(context, { row, server }) !== row.pid;
  const unclear = rows.panes.filter((row) => row.status === null && row.signal === null && (row.dead || isNew(row)));
  const where = await withProcesses(context, { rows, panes: unclear });
  return rows.panes.map((row) => seenPane(row, where));
}

interface Where {
  readonly row: PaneRow;
  readonly server: ServerRow;
}

/** The program's process, or what it was: tmux 3.8 forgets it at the end. Null when it was never seen. */
export function pidOf(context: LookContext, { row, server }: Where): number | null {
  return row.pid ?? rootPid(context, { row, server });
}

function rootPid({ roots, socket }: LookContext, { row, server }: Where): number | null {
  return roots.of(paneKey(identityOf(row, { socket, server })))?.process.pid ?? null;
}

async function withProcesses(
  { processes, roots, socket, now }: LookContext,
  { rows, panes }: { readonly rows: Rows; readonly panes: readonly PaneRow[] },
): Promise<PaneContext> {
  const found = await processes.some(panes.flatMap(({ pid }) => pid ?? []));
  for (const row of panes) roots.remember(row, { server: rows.server, process: row.pid === null ? undefined : found.get(row.pid) });
  return { socket, rows, processes: found, now: now() };
}
