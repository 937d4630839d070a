import { type Exit, type PaneInfo, timestampFromMs, visibleText } from "@tmpm/core";
import { type HolderFacts, identityOf } from "@tmpm/holder";
import type { ProcessInfo, ProcessTable } from "@tmpm/processes";
import type { HeldInfo } from "./held/held-info.js";

/** A holder's terminal; `info` is null before its first report. */
export interface HeldTerminal {
  readonly facts: HolderFacts;
  readonly info: HeldInfo | null;
}

/** Facts about terminals, and their current processes. */
export async function paneInfos(
  held: readonly HeldTerminal[],
  { table, home }: { readonly table: ProcessTable; readonly home: string | null },
): Promise<readonly PaneInfo[]> {
  const roots = await table.some(held.flatMap(({ info }) => (info === null || info.exit !== null ? [] : [info.pid])));
  const leaders = await table.some([...roots.values()].map(({ foregroundGroup }) => foregroundGroup).filter((group) => group > 0));
  return held.map((one) => paneInfo(one, { home, root: roots.get(one.info?.pid ?? 0), leaders }));
}

interface Around {
  readonly home: string | null;
  readonly root: ProcessInfo | undefined;
  readonly leaders: ReadonlyMap<number, ProcessInfo>;
}

/** A holder that does not answer still exists: its process proves it. */
function paneInfo({ facts, info }: HeldTerminal, { home, root, leaders }: Around): PaneInfo {
  const leader = root === undefined ? undefined : (leaders.get(root.foregroundGroup) ?? root);
  return {
    identity: identityOf(facts),
    tmuxName: info?.tmuxName ?? facts.name,
    sessionId: facts.session_id,
    home,
    pid: info?.pid ?? facts.program?.pid ?? 0,
    exit: exitOf(info),
    inMode: false,
    viewers: info?.viewers ?? 0,
    columns: info?.columns ?? 80,
    rows: info?.rows ?? 24,
    activeAt: info === null ? facts.started_at : Math.floor(info.activeMs / 1000),
    foreground: root === undefined || root.zombie || root.foregroundGroup <= 0 ? null : root.foregroundGroup === root.group,
    command: visibleText(leader?.command ?? ""),
  };
}

export function exitOf(info: HeldInfo | null): Exit | null {
  if (info === null || info.exit === null) return null;
  const { status, signal, atMs } = info.exit;
  return { status, signal, at: timestampFromMs(atMs) };
}
