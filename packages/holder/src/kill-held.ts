import type { KillReport, PaneIdentity } from "@tmpm/core";
import { type ProcessTable, processTable, startedServers } from "@tmpm/processes";
import { endHeld, leaveHolder } from "./end-holder.js";
import { findHolder } from "./find-holder.js";

export type LastWords = Pick<KillReport, "exit" | "lastLines">;

export interface Killing {
  readonly graceMs: number;
  /** Reads the program's exit and last lines from its holder, once all processes were ended; `NO_WORDS` when it does not answer. */
  readonly words: () => Promise<LastWords>;
  readonly table?: ProcessTable;
}

export const NO_WORDS: LastWords = { exit: null, lastLines: [] };

/**
 * Ends a holder's program with all its processes, collects its last words, and then ends the holder too, also one that does not answer. With
 * survivors the holder stays, so that the call can be repeated. Idempotent. @throws UNRESPONSIVE when it cannot be determined whether the
 * holder runs
 */
export async function killHeld(identity: PaneIdentity, { graceMs, words, table = processTable() }: Killing): Promise<KillReport> {
  const answer = await findHolder(identity, table);
  if (answer.kind === "unknown") throw answer.error;
  const survivors = await endHeld(identity, { graceMs, table });
  if (answer.kind === "absent") {
    if (survivors.length === 0) await leaveHolder(identity, { table });
    return { survivors, ...NO_WORDS };
  }
  const said = await words();
  const servers = await startedServers(table, { serverPid: identity.server_pid, sessionId: answer.value.session_id });
  if (survivors.length === 0) await leaveHolder(identity, { table });
  return { survivors, ...said, ...(servers.length === 0 ? {} : { servers }) };
}
