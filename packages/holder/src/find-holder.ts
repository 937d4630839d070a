import type { Answer, PaneIdentity } from "@tmpm/core";
import { TmpmError } from "@tmpm/core/errors";
import { type ProcessTable, processEnded, processTable } from "@tmpm/processes";
import { type HolderFacts, holderEnded, identityOf, readFacts } from "./holder-facts.js";
import { folderOf, holderFolders } from "./holder-folder.js";

/** The state of the holder in a folder. `gone` is proven; its file then reports the processes that it left. */
export type FoundHolder =
  | { readonly kind: "running" | "gone"; readonly folder: string; readonly facts: HolderFacts }
  /** The folder never had a holder. */
  | { readonly kind: "unstarted"; readonly folder: string }
  /** One may run. `reason` has the cause of the uncertainty. */
  | { readonly kind: "unreadable"; readonly folder: string; readonly reason: string };

/** All folders of holders, and which of them have one. Queries the system, not the holders. */
export async function listHolders(base: string, table: ProcessTable = processTable()): Promise<readonly FoundHolder[]> {
  return Promise.all((await holderFolders(base)).map((folder) => lookAt(folder, table)));
}

/** Whether exactly this holder runs. Absent only if that is proven. */
export async function findHolder(identity: PaneIdentity, table: ProcessTable = processTable()): Promise<Answer<HolderFacts>> {
  const found = await lookAt(folderOf(identity), table);
  if ((found.kind === "running" || found.kind === "gone") && isSame(identity, found.facts)) {
    if (found.kind === "running") return { kind: "present", value: found.facts };
    return { kind: "absent", reason: `holder ${identity.server_pid} has ended` };
  }
  const ended = await processEnded(table, { pid: identity.server_pid, start: identity.server_start });
  if (ended) return { kind: "absent", reason: `holder ${identity.server_pid} has ended` };
  const why = found.kind === "unreadable" ? `, for ${found.reason}` : "";
  const message = `process ${identity.server_pid} runs, but it cannot be determined whether it is the holder in ${found.folder}${why}`;
  return { kind: "unknown", error: new TmpmError("UNRESPONSIVE", message) };
}

export function isSame(identity: PaneIdentity, facts: HolderFacts): boolean {
  const { server_pid, server_start, pane_id } = identityOf(facts);
  return identity.server_pid === server_pid && identity.server_start === server_start && identity.pane_id === pane_id;
}

async function lookAt(folder: string, table: ProcessTable): Promise<FoundHolder> {
  const read = await readFacts(folder);
  if (read.kind === "none") return { kind: "unstarted", folder };
  if (read.kind === "unreadable") return { folder, ...read };
  const { facts } = read;
  return { kind: (await holderEnded(table, facts)) ? "gone" : "running", folder, facts };
}
