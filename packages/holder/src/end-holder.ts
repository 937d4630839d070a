import type { PaneIdentity } from "@tmpm/core";
import {
  endProcesses,
  leftoverTree,
  type ProcessInfo,
  type ProcessTable,
  processTable,
  processTree,
  signalProcess,
  until,
} from "@tmpm/processes";
import { findHolder, isSame } from "./find-holder.js";
import { type HolderFacts, holderEnded, identityOf, readFacts } from "./holder-facts.js";
import { folderOf, removeFolder } from "./holder-folder.js";
import { connectHolder } from "./holder-link.js";

/** Time limit for a holder to exit before it is killed. */
const LEAVE_MS = 5000;

/**
 * Ends the holder's program with all its processes (SIGHUP, after `graceMs` SIGKILL), and returns the surviving pids; empty when all are
 * proven gone. The holder stays, for its last words. For an ended holder, ends the processes that it left, as far as its folder still
 * reports them. @throws UNRESPONSIVE when its process runs and its folder does not report it
 */
export async function endHeld(
  identity: PaneIdentity,
  { graceMs, table = processTable() }: { readonly graceMs: number; readonly table?: ProcessTable },
): Promise<readonly number[]> {
  const facts = await factsOf(identity);
  if (facts === null) return nothingLeft(identity, table);
  const collect = (await holderEnded(table, facts)) ? leftoverOf(facts, table) : treeOf(facts, table);
  return (await endProcesses(table, { graceMs, collect })).map(({ pid }) => pid);
}

async function nothingLeft(identity: PaneIdentity, table: ProcessTable): Promise<readonly number[]> {
  const answer = await findHolder(identity, table);
  if (answer.kind === "unknown") throw answer.error;
  return [];
}

/** Time for leftover processes to end on their own, in ms. */
const GRACE_MS = 1000;

/**
 * Ends the processes that an ended holder left, removes its files, and returns the surviving pids, which keep the files. Null, and nothing is
 * done, while the holder runs, or if its folder does not report it. The folder may have been moved since: `facts` have its path at the start.
 */
export async function clearEnded(
  { folder, facts }: { readonly folder: string; readonly facts: HolderFacts },
  { graceMs = GRACE_MS, table = processTable() }: { readonly graceMs?: number; readonly table?: ProcessTable } = {},
): Promise<readonly number[] | null> {
  const current = await factsIn(folder, identityOf(facts));
  if (current === null || !(await holderEnded(table, current))) return null;
  const left = await endProcesses(table, { graceMs, collect: leftoverOf(current, table) });
  if (left.length === 0) removeFolder(folder);
  return left.map(({ pid }) => pid);
}

function factsOf(identity: PaneIdentity): Promise<HolderFacts | null> {
  return factsIn(folderOf(identity), identity);
}

/** Null if the folder does not report this holder. */
async function factsIn(folder: string, identity: PaneIdentity): Promise<HolderFacts | null> {
  const read = await readFacts(folder);
  return read.kind === "facts" && isSame(identity, read.facts) ? read.facts : null;
}

/** Ends the holder itself, once its program has ended, and removes its files. Idempotent. @throws INVALID_STATE while its program runs */
export async function leaveHolder(
  identity: PaneIdentity,
  { table = processTable() }: { readonly table?: ProcessTable } = {},
): Promise<void> {
  const folder = folderOf(identity);
  const facts = await factsOf(identity);
  if (facts === null) return;
  if (!(await holderEnded(table, facts))) await askToLeave(folder);
  if (!(await until(() => holderEnded(table, facts), { withinMs: LEAVE_MS, everyMs: 10 }))) {
    signalProcess(facts.pid, "SIGKILL");
    await until(() => holderEnded(table, facts), { withinMs: LEAVE_MS, everyMs: 10 });
  }
  removeFolder(folder);
}

/** An unresponsive one is ended too. */
async function askToLeave(folder: string): Promise<void> {
  const link = await connectHolder(folder, { patienceMs: LEAVE_MS }).catch(() => null);
  if (link === null) return;
  try {
    await link.call("leave", { patienceMs: LEAVE_MS });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "UNRESPONSIVE")) throw error;
  } finally {
    link.close();
  }
}

type Collect = (known: readonly ProcessInfo[]) => Promise<ProcessInfo[]>;

function treeOf({ pid, program, session_id }: HolderFacts, table: ProcessTable): Collect {
  return (known) => processTree(table, { serverPid: pid, rootPid: program?.pid ?? null, sessionId: session_id, known });
}

function leftoverOf({ program, session_id }: HolderFacts, table: ProcessTable): Collect {
  if (program === null) return async () => [];
  const root: ProcessInfo = {
    ...program,
    parent: 1,
    group: program.pid,
    session: program.pid,
    foregroundGroup: 0,
    startedAt: 0,
    zombie: false,
    command: "",
  };
  return (known) => leftoverTree(table, { root: { sessionId: session_id, process: root }, known });
}
