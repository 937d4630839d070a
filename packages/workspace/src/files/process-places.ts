import { readdir, readlink } from "node:fs/promises";
import { hasErrno } from "@tmpm/core";
import { execa } from "execa";

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
  const { stdout } = await execa("lsof", ["-w", "-a", "-d", "cwd", "-F", "pn"], { timeout: 10_000, cwd: "/", stdin: "ignore" });
  return parseLsof(stdout);
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
