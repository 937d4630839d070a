import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hasErrno } from "@tmpm/core";
import { psStart, sysctlBoot } from "./process-identity-ps.js";

/** The identity of a process, despite reused pids and restarts of the machine. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started: letters, digits and hyphens for comparison only; empty when unknown. */
  readonly start: string;
  /** The boot of the machine; empty when unknown. */
  readonly boot: string;
  /** The pid namespace; empty without one. A pid is meaningless in another one. */
  readonly namespace: string;
}

export type Liveness = "running" | "gone" | "unknown";

let own: ProcessIdentity | null = null;

export function ownIdentity(): ProcessIdentity {
  // A boot that could not be read may be readable later.
  if (own === null || own.boot === "")
    own = { pid: process.pid, start: startOf(process.pid) ?? "", boot: bootId(), namespace: pidNamespace() };
  return own;
}

/** A stopped process is running; a zombie is gone. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  const here = ownIdentity();
  const isSameBoot = identity.boot === here.boot;
  if (!isSameBoot && areComparable(identity.boot, here.boot)) return "gone";
  if (identity.namespace !== here.namespace) return "unknown";
  const start = startOf(identity.pid);
  if (start === null) return "gone";
  if (start !== "" && identity.start === start) return "running";
  // Another process may have the pid since another boot.
  if (!isSameBoot) return "unknown";
  return identity.start === "" || start === "" ? "running" : "gone";
}

function areComparable(one: string, other: string): boolean {
  return one !== "" && other !== "" && isBootTime(one) === isBootTime(other);
}

/** Earlier versions named the boot of a system without /proc by its time, in seconds: shorter than an id. */
function isBootTime(boot: string): boolean {
  return /^\d{1,11}$/.test(boot);
}

/** When a process started; null when there is none, empty when only its existence is known. */
function startOf(pid: number): string | null {
  if (process.platform === "linux") return linuxStart(pid);
  const start = psStart(pid);
  if (start !== undefined) return start;
  return isProcess(pid) ? "" : null;
}

/** Field 22 of /proc/PID/stat; the program's name in field 2 may contain anything, so fields count from its closing parenthesis. */
function linuxStart(pid: number): string | null {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === null) return isProcess(pid) ? "" : null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? "");
}

/** Whether any process has this pid now. */
export function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (hasErrno(error, "ESRCH")) return false;
    if (hasErrno(error, "EPERM")) return true;
    throw error;
  }
}

/**
 * Enough to distinguish two boots. A lock's text stays below 60 bytes with it: a longer one costs a block of the disk, and half a write to
 * free that.
 */
const BOOT_DIGITS = 12;

function bootId(): string {
  if (process.platform === "linux")
    return (readProc("/proc/sys/kernel/random/boot_id") ?? "").replace(/[^0-9a-f]/g, "").slice(0, BOOT_DIGITS);
  return sysctlBoot((names) => spawnSync("sysctl", ["-n", ...names], { encoding: "utf8" }).stdout ?? "").slice(0, BOOT_DIGITS);
}

function pidNamespace(): string {
  if (process.platform !== "linux") return "";
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "";
  } catch (error) {
    if (hasErrno(error, "ENOENT", "EACCES", "EPERM")) return "";
    throw error;
  }
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return null;
    throw error;
  }
}
