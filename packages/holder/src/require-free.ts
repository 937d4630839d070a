import { unlinkSync } from "node:fs";
import { errnoOf, hasCode, hasErrno, requireResources } from "@tmpm/core";
import { TmpmError } from "@tmpm/core/errors";
import { type ProcessTable, processTable } from "@tmpm/processes";
import { type HolderFacts, holderEnded, readFacts } from "./holder-facts.js";
import { type Claimant, contentsOf, holderFolder, launchPath, removeFolder } from "./holder-folder.js";

/**
 * Proves that no holder of the session runs or will run: launch instructions that no holder has claimed are withdrawn. For a caller that
 * starts none meanwhile. @throws UNRESPONSIVE when one runs or may run; RESOURCE_EXHAUSTED; INVALID_ARGUMENT, SOCKET_PATH_TOO_LONG
 */
export async function requireNoHolder(
  { base, sessionId }: { readonly base: string; readonly sessionId: string },
  table: ProcessTable = processTable(),
): Promise<void> {
  const folder = holderFolder(base, sessionId);
  try {
    await requireFree(folder, table);
  } catch (error) {
    requireResources(error);
    // A failed system call leaves it open; anything else is an error of its own.
    if (error instanceof Error && (hasCode(error, "NAME_TAKEN") || errnoOf(error) !== null)) throw mayHold(folder, error.message);
    throw error;
  }
}

/**
 * The facts of an ended holder in the folder; null without one. @throws NAME_TAKEN for a holder that runs; UNRESPONSIVE while another start is
 * in progress, or a holder may run; errors of the system
 */
export async function requireFree(folder: string, table: ProcessTable): Promise<HolderFacts | null> {
  const read = await readFacts(folder);
  if (read.kind === "facts" && !(await holderEnded(table, read.facts))) {
    throw new TmpmError("NAME_TAKEN", `session ${read.facts.session_id} has a holder already, process ${read.facts.pid}`);
  }
  if (read.kind === "unreadable") throw mayHold(folder, read.reason);
  // A holder that starts in a folder without facts has a launch file there, its own or not claimed yet.
  if (read.kind === "none" && !withdraw(folder) && (await isUsed(folder, table))) throw beingStarted(folder);
  return read.kind === "facts" ? read.facts : null;
}

async function isUsed(folder: string, table: ProcessTable): Promise<boolean> {
  const contents = unlessMissing(() => contentsOf(folder));
  if (contents === null || contents.hasFacts) return contents !== null;
  return anyRuns(contents.claimants, table);
}

/** Proof that the process which claimed the launch instructions has ended before it wrote its facts. */
export async function claimantEnded(folder: string, table: ProcessTable): Promise<boolean> {
  const contents = unlessMissing(() => contentsOf(folder));
  if (contents === null || contents.hasFacts || contents.claimants.length === 0) return false;
  if (await anyRuns(contents.claimants, table)) return false;
  return unlessMissing(() => contentsOf(folder))?.hasFacts === false;
}

async function anyRuns(claimants: readonly Claimant[], table: ProcessTable): Promise<boolean> {
  const found = await table.some(claimants.map(({ pid }) => pid));
  return claimants.some(({ pid, start }) => {
    const process = found.get(pid);
    return process !== undefined && !process.zombie && (start === "" || process.start === start);
  });
}

export function beingStarted(folder: string): TmpmError {
  return new TmpmError("UNRESPONSIVE", `another start is in progress in ${folder}`, {
    hint: "If this persists, remove that folder once no process of the session is running.",
    details: { folder },
  });
}

function mayHold(folder: string, reason: string): TmpmError {
  return new TmpmError("UNRESPONSIVE", `a holder of the session may run: ${reason}`, {
    hint: `Once no process of the session is running, remove ${folder}.`,
    details: { folder },
  });
}

/** True when no holder will read it; then the folder is removed too. */
export function withdraw(folder: string): boolean {
  const taken = unlessMissing(() => unlinkSync(launchPath(folder))) !== null;
  if (taken) removeFolder(folder);
  return taken;
}

export function unlessMissing<T>(task: () => T): T | null {
  try {
    return task();
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
}
