import type { KnownRoot, ProcessInfo } from "@tmpm/processes";
import type { PaneRow, ServerRow } from "./pane-row.js";

export interface KnownRoots {
  remember(row: PaneRow, where: { readonly server: ServerRow; readonly process: ProcessInfo | undefined }): void;
  of(key: string): KnownRoot | null;
  forget(key: string): void;
}

const MOST = 10_000;

export function knownRoots(): KnownRoots {
  const roots = new Map<string, KnownRoot>();
  return {
    remember({ paneId, sessionId }, { server, process }) {
      if (sessionId === null || process === undefined || process.parent !== server.pid) return;
      roots.set(paneKey({ server_pid: server.pid, server_start: server.start, pane_id: paneId }), { sessionId, process });
      const [oldest] = roots.keys();
      if (roots.size > MOST && oldest !== undefined) roots.delete(oldest);
    },
    of: (key) => roots.get(key) ?? null,
    forget: (key) => void roots.delete(key),
  };
}

export function paneKey(pane: { readonly server_pid: number; readonly server_start: number; readonly pane_id: string }): string {
  return `${pane.server_pid}:${pane.server_start}:${pane.pane_id}`;
}
