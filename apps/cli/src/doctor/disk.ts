import { accessSync, constants, existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { DISK_FULL, hasErrno } from "@tmpm/core/errno";
import { fail, type LocalFinding, ok, type Place, type Problem, warn } from "./local-finding.js";
import { probeFile } from "./probe-file.js";

const NAME = "disk";
const MIB = 1024 * 1024;
/** A busy daemon writes megabytes a day, plus what the agents write. */
const SCARCE = 1024 * MIB;
const TOO_LITTLE = 64 * MIB;
const FEW_FILES = 1_000;
const SLOW_MS = 5_000;

/** Whether a file can be written durably to the data folder, and the free space. For a missing folder its parent is checked. */
export async function disk({ location: { home } }: Place): Promise<readonly LocalFinding[]> {
  const isThere = existsSync(home);
  const folder = isThere ? home : nearest(home);
  const written = isThere ? await write(folder) : canMake(folder);
  if (typeof written !== "number") return [fail(NAME, written)];
  const { bavail, bsize, files, ffree } = await statfs(folder);
  const free = bavail * bsize;
  const message = `${size(free)} free${isThere ? `, a file was on the disk in ${Math.round(written)} ms` : ""}`;
  if (free < TOO_LITTLE) return [fail(NAME, { message, hint: `Free space on the disk of ${folder}.` })];
  if (files > 0 && ffree < FEW_FILES)
    return [warn(NAME, { message: `room for ${ffree} more files`, hint: "Remove files that you do not need." })];
  if (free < SCARCE) return [warn(NAME, { message, hint: `Free space on the disk of ${folder}.` })];
  if (written > SLOW_MS) return [warn(NAME, { message, hint: "Every session change waits for the disk." })];
  return [ok(NAME, message)];
}

async function write(folder: string): Promise<number | Problem> {
  try {
    return (await probeFile(folder)).ms;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const full = hasErrno(error, ...DISK_FULL);
    const hint = full ? `Free space on the disk of ${folder}.` : "Make it writable for you, or choose another folder with TMPM_HOME.";
    return { message: `cannot write a file in ${folder}: ${error.message}`, hint };
  }
}

function canMake(folder: string): number | Problem {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { message: `cannot create anything in ${folder}: ${error.message}`, hint: "Choose a folder that you own with TMPM_HOME." };
  }
}

function nearest(path: string): string {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

function size(bytes: number): string {
  return bytes < 10 * 1024 * MIB ? `${Math.floor(bytes / MIB)} MiB` : `${Math.floor(bytes / MIB / 1024)} GiB`;
}
