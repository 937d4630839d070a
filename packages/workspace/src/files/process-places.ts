import { readdir, readlink } from "node:fs/promises";
import { hasErrno, TmpmError } from "@tmpm/core";
import { type ProgramEnd, runProgram } from "./run-program.js";

const LSOF_MS = 10_000;

export interface ProcessPlace {
  readonly pid: number;
  readonly cwd: string;
}

/** Working directories of the processes visible to this user: from /proc, or from `lsof` without one. Throws when neither works. */
export async function processPlaces(): Promise<readonly ProcessPlace[]> {
  return process.platform === "linux" ? fromProc() : fromLsof();
}

async function fromProc(): Promise<readonly ProcessPlace[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const places = await Promise.all(pids.map(async (pid) => ({ pid: Number(pid), cwd: await cwdOf(pid) })));
  return places.flatMap(({ pid, cwd }) => (cwd === null ? [] : [{ pid, cwd }]));
}

async function cwdOf(pid: string): Promise<string | null> {
  try {
    return (await readlink(`/proc/${pid}/cwd`)).replace(/ \(deleted\)$/, "");
  } catch (error) {
    // It has ended, or belongs to another user, who cannot enter a private folder.
    if (hasErrno(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return null;
    throw error;
  }
}

/** `lsof -F pn` prints a line `pPID` for each process and `nPATH` for its working directory. */
async function fromLsof(): Promise<readonly ProcessPlace[]> {
  const end = await runProgram({ argv: ["lsof", "-w", "-a", "-d", "cwd", "-F", "pn"], env: process.env, timeoutMs: LSOF_MS });
  return parseLsof(requireListed(end));
}

/** `lsof` exits with 1 also when it could not read some processes; one that was killed may have listed only some. */
const LISTED: readonly (number | null)[] = [0, 1];

/** @throws PREREQUISITE_MISSING, RESOURCE_EXHAUSTED */
export function requireListed(end: ProgramEnd): string {
  if (end.kind === "ended" && LISTED.includes(end.status) && end.stdout !== "") return end.stdout;
  if (end.kind === "refused" && end.code === "ENOENT") {
    throw new TmpmError("PREREQUISITE_MISSING", "lsof is not installed", {
      hint: "Install it: it shows the programs that use a directory.",
    });
  }
  throw new TmpmError("RESOURCE_EXHAUSTED", `lsof could not list the processes: ${whyNot(end)}`);
}

function whyNot(end: ProgramEnd): string {
  if (end.kind === "late") return `no answer within ${LSOF_MS} ms`;
  if (end.kind === "refused") return end.reason;
  if (end.status === null) return "it was killed";
  return end.stderr.trim() || `it ended with status ${end.status} and listed nothing`;
}

export function parseLsof(text: string): readonly ProcessPlace[] {
  const places: ProcessPlace[] = [];
  let pid = 0;
  for (const line of text.split("\n")) {
    if (line.startsWith("p")) pid = Number(line.slice(1));
    if (line.startsWith("n")) places.push({ pid, cwd: line.slice(1) });
  }
  return places;
}
