import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { hasErrno, type PaneIdentity } from "@tmpm/core";
import { type ProcessInfo, type ProcessTable, processTable, readRegularFile } from "@tmpm/processes";
import { factsPath, socketPath } from "./holder-folder.js";

/** The protocol version of holders and their clients. A holder outlives upgrades: a later version still understands an earlier one. */
export const PROTOCOL = 1;

/** A holder, distinguished from every other process that has or will have its pid. Stored in its file, and sent when a client connects. */
export interface HolderFacts {
  readonly protocol: number;
  readonly session_id: string;
  /** The session's display name at the start. */
  readonly name: string;
  readonly socket: string;
  readonly pid: number;
  /** As the system reports it; for comparison only. */
  readonly start: string;
  /** Identity of the machine's boot; empty if the system does not report it. */
  readonly boot: string;
  /** Seconds since 1970. */
  readonly started_at: number;
  /** Its program's process; null before the start, and for a program without a process. */
  readonly program: { readonly pid: number; readonly start: string } | null;
}

/** The holder as a terminal's identity. */
export function identityOf({ socket, pid, started_at }: HolderFacts): PaneIdentity {
  return { socket, server_pid: pid, server_start: started_at, pane_id: "%0" };
}

/** This process; `start` is empty if the system does not report it. */
export type OwnProcess = Pick<ProcessInfo, "pid" | "start" | "startedAt">;

export async function ownProcess(): Promise<OwnProcess> {
  const { pid } = process;
  return (await processTable().some([pid])).get(pid) ?? { pid, start: "", startedAt: Date.now() / 1000 };
}

/** This process as a holder. */
export function ownFacts(
  folder: string,
  { sessionId, name, own }: { readonly sessionId: string; readonly name: string; readonly own: OwnProcess },
): HolderFacts {
  return {
    protocol: PROTOCOL,
    session_id: sessionId,
    name,
    socket: socketPath(folder),
    pid: own.pid,
    start: own.start,
    boot: bootId(),
    started_at: Math.floor(own.startedAt),
    program: null,
  };
}

/** Atomic. */
export function writeFacts(folder: string, facts: HolderFacts): void {
  const draft = `${factsPath(folder)}.new`;
  writeFileSync(draft, JSON.stringify(facts), { mode: 0o600 });
  renameSync(draft, factsPath(folder));
}

/** The holder according to its folder. `reason` describes why there is none. */
export type ReadFacts =
  | { readonly kind: "facts"; readonly facts: HolderFacts }
  | { readonly kind: "none" }
  | { readonly kind: "unreadable"; readonly reason: string };

export async function readFacts(folder: string): Promise<ReadFacts> {
  try {
    return parseFacts(folder, await readRegularFile(factsPath(folder)));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return error.code === "ENOENT"
      ? { kind: "none" }
      : { kind: "unreadable", reason: `${factsPath(folder)} cannot be read: ${error.message}` };
  }
}

function parseFacts(folder: string, text: string): ReadFacts {
  const value = jsonOf(text);
  return isFacts(value)
    ? { kind: "facts", facts: value }
    : { kind: "unreadable", reason: `${factsPath(folder)} does not describe a holder` };
}

export function isFacts(value: unknown): value is HolderFacts {
  if (typeof value !== "object" || value === null) return false;
  const has = (name: string, type: string) => name in value && typeof Reflect.get(value, name) === type;
  const texts = ["session_id", "name", "socket", "start", "boot"].every((name) => has(name, "string"));
  return texts && ["protocol", "pid", "started_at"].every((name) => has(name, "number")) && "program" in value;
}

/** Proof that the holder has ended: the machine was rebooted, or its process is gone, or its pid belongs to another. */
export async function holderEnded(table: ProcessTable, facts: HolderFacts): Promise<boolean> {
  const boot = bootId();
  if (facts.boot !== "" && boot !== "" && facts.boot !== boot) return true;
  const found = (await table.some([facts.pid])).get(facts.pid);
  return found === undefined || found.zombie || (facts.start !== "" && found.start !== facts.start);
}

let boot: string | null = null;

/** Read once. Empty if the system does not report it: then processes are distinguished only by their start. @throws errors of the system */
export function bootId(path = "/proc/sys/kernel/random/boot_id"): string {
  boot ??= readBootId(path);
  return boot;
}

function readBootId(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return "";
    throw error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
