import type { Finding } from "@tmpm/api/local";
import { ENDED_STATES } from "@tmpm/core";
import { listHolders } from "@tmpm/holder";
import { type ProcessTable, processTable, sessionMark } from "@tmpm/processes";
import type { Entry, SessionStore } from "@tmpm/store";

export interface SurvivorsOptions {
  readonly store: Pick<SessionStore, "list">;
  /** The folders of holders, which carry their session's mark and are checked separately. */
  readonly bases: readonly string[];
  readonly table?: Pick<ProcessTable, "marked" | "withEnvironment">;
}

type Known = Extract<Entry, { readonly kind: "session" }>["record"];

const NAME = "survivors";

/**
 * Processes left behind by a session's program that carry only its mark. Those that still have the session's environment are
 * reported by the command line. Processes are listed first, so that a session started meanwhile is known.
 */
export async function survivors({ store, bases, table = processTable() }: SurvivorsOptions): Promise<readonly Finding[]> {
  const marked = new Map(await table.marked());
  for (const pid of await holdersIn(bases)) marked.delete(pid);
  const entries = await store.list({ archived: true });
  const ended = entries.flatMap((entry) => (entry.kind === "session" && ENDED_STATES.includes(entry.record.state) ? [entry.record] : []));
  const left = await Promise.all(ended.map(async (record) => ({ record, pids: await hidden(record, { marked, table }) })));
  const found = left.filter(({ pids }) => pids.length > 0);
  if (found.length === 0) return [{ name: NAME, status: "ok", message: "no process of an ended session is running", hint: null }];
  const pids = found.flatMap((one) => one.pids);
  const names = found.map(({ record }) => record.name).join(", ");
  const message = `${pids.length} processes of sessions that no longer run (${names}) left their terminal and environment: ${pids.join(" ")}`;
  return [
    {
      name: NAME,
      status: "warn",
      message,
      hint: `They may be intended, as a tmux server and the sessions in it are. To end them: kill ${pids.join(" ")}`,
    },
  ];
}

async function hidden(
  { id }: Known,
  { marked, table }: { readonly marked: ReadonlyMap<number, string>; readonly table: Pick<ProcessTable, "withEnvironment"> },
): Promise<readonly number[]> {
  const mark = sessionMark(id);
  const pids = [...marked].flatMap(([pid, own]) => (own === mark ? [pid] : []));
  if (pids.length === 0) return [];
  const named = new Set(await table.withEnvironment(`TMPM_SESSION_ID=${id}`));
  return pids.filter((pid) => !named.has(pid));
}

/** Listed after the processes, so that no holder is among those. Unreadable folders are reported by the check of the holders. */
async function holdersIn(bases: readonly string[]): Promise<readonly number[]> {
  const found = await Promise.all(bases.map((base) => listHolders(base).catch(() => [])));
  return found.flat().flatMap((holder) => ("facts" in holder ? [holder.facts.pid] : []));
}
