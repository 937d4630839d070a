import { type Exit, type PaneIdentity, timestampFromMs } from "@tmpm/core";
import type { ProcessInfo } from "@tmpm/processes";
import type { PaneInfo } from "../driver.js";
import type { PaneRow, Rows, ServerRow } from "./pane-row.js";
import { viewersOf } from "./viewers.js";

export interface PaneContext {
  readonly socket: string;
  readonly rows: Rows;
  /** The panes' own processes, by pid, as far as readable. */
  readonly processes: ReadonlyMap<number, ProcessInfo>;
  readonly now: number;
}

/** tmux's own facts about a pane. */
export type SeenPane = Pick<PaneInfo, "identity" | "tmuxName" | "sessionId" | "exit" | "viewers" | "activeAt">;

export function seenPane(row: PaneRow, context: PaneContext): SeenPane {
  const { rows, socket } = context;
  return {
    identity: identityOf(row, { socket, server: rows.server }),
    tmuxName: row.tmuxName,
    sessionId: row.sessionId,
    exit: exitOf(row, context),
    viewers: viewersOf(row.tmuxSession, rows.clients),
    activeAt: row.activeAt,
  };
}

export function paneInfo(row: PaneRow, context: PaneContext): PaneInfo {
  const { identity, tmuxName, sessionId, exit, viewers, activeAt } = seenPane(row, context);
  return {
    identity,
    tmuxName,
    sessionId,
    exit,
    viewers,
    activeAt,
    home: row.home,
    pid: row.pid ?? 0,
    inMode: row.inMode,
    columns: row.columns,
    rows: row.rows,
    foreground: row.dead ? null : isForeground(processOf(row, context)),
    command: row.command,
  };
}

export function identityOf(row: PaneRow, where: { readonly socket: string; readonly server: ServerRow }): PaneIdentity {
  return { socket: where.socket, server_pid: where.server.pid, server_start: where.server.start, pane_id: row.paneId };
}

/**
 * A pane is dead once its terminal is closed, possibly before tmux has the status, and while the program continues without a terminal.
 * Before 3.3 tmux reports neither the signal nor the time: then the time is that of the query.
 */
function exitOf(row: PaneRow, context: PaneContext): Exit | null {
  if (!row.dead) return null;
  const { rows, now } = context;
  if (row.status === null && row.signal === null && processOf(row, context)?.parent === rows.server.pid) return null;
  return { status: row.status, signal: row.signal, at: timestampFromMs(row.deadAt === null ? now : row.deadAt * 1000) };
}

function processOf({ pid }: PaneRow, { processes }: PaneContext): ProcessInfo | undefined {
  return pid === null ? undefined : processes.get(pid);
}

function isForeground(root: ProcessInfo | undefined): boolean | null {
  if (root === undefined || root.zombie || root.foregroundGroup <= 0) return null;
  return root.foregroundGroup === root.group;
}
