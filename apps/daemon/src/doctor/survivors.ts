import type { Finding } from "@tmpm/api/local";
import { listHolders } from "@tmpm/holder";
import { type ProcessTable, processTable, sessionMark } from "@tmpm/processes";
import type { Entry, SessionStore } from "@tmpm/store";

export interface SurvivorsOptions {
  readonly store: Pick<SessionStore, "list">;
  /** The folders of holders, which have the mark of their session and are looked at by themselves. */
  readonly bases: readonly string[];
  readonly table?: Pick<ProcessTable, "marked" | "withEnvironment">;
}

type Known = Extract<Entry, { readonly kind: "session" }>["record"];

const NAME = "survivors";
const ENDED: ReadonlySet<string> = new Set(["stopped", "errored", "decommissioned", "deleted"]);

/**
 * Processes that a session's program left behind and that show nothing of it but its mark. Those that still have the session's environment are the command
 * line's to tell. The processes are looked at first, so that a session which begins meanwhile is known to run.
 */
export async function survivors({ store, bases, table = processTable() }: SurvivorsOptions): Promise<readonly Finding[]> {
  const marked = new Map(await table.marked());
  for (const pid of await holdersIn(bases)) marked.delete(pid);
  const entries = await store.list({ archived: true });
  const ended = entries.flatMap((entry) => (entry.kind === "session" && ENDED.has(entry.record.state) ? [entry.record] : []));
  const left = await Promise.all(ended.map(async (record) => ({ record, pids: await hidden(record, { marked, table }) })));
  const found = left.filter(({ pids }) => pids.length > 0);
  if (found.length === 0) return [{ name: NAME, status: "ok", message: "nothing of an ended session runs on", hint: null }];
  const pids = found.flatMap((one) => one.pids);
  const names = found.map(({ record }) => record.name).join(", ");
  const message = `${pids.length} processes of sessions that do not run any more (${names}) left their terminal and their environment: ${pids.join(" ")}`;
  return [{ name: NAME, status: "warn", message, hint: `They may be meant to stay. To end them: kill ${pids.join(" ")}` }];
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

/** The check of the holders reports what cannot be read. */
async function holdersIn(bases: readonly string[]): Promise<readonly number[]> {
  const found = await Promise.all(bases.map((base) => listHolders(base).catch(() => [])));
  return found.flat().flatMap((holder) => ("facts" in holder ? [holder.facts.pid] : []));
}
