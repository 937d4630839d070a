import { accessSync, constants, existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { fail, type LocalFinding, ok, type Place, type Told, warn } from "./local-finding.js";
import { probeFile } from "./probe-file.js";

const NAME = "disk";
const MIB = 1024 * 1024;
/** A daemon at work writes megabytes a day; what the agents write comes on top. */
const SCARCE = 1024 * MIB;
const TOO_LITTLE = 64 * MIB;
const FEW_FILES = 1_000;
const SLOW_MS = 5_000;

/** Whether the data folder takes a file durably, and how much more. A folder that is not there yet is judged by where it would be made. */
export async function disk({ location: { home } }: Place): Promise<readonly LocalFinding[]> {
  const isThere = existsSync(home);
  const folder = isThere ? home : nearest(home);
  const written = isThere ? await write(folder) : canMake(folder);
  if (typeof written !== "number") return [fail(NAME, written)];
  const { bavail, bsize, files, ffree } = await statfs(folder);
  const free = bavail * bsize;
  const message = `${size(free)} free${isThere ? `, a file was on the disk in ${Math.round(written)} ms` : ""}`;
  if (free < TOO_LITTLE) return [fail(NAME, { message, hint: `Make room on the disk that ${folder} is on.` })];
  if (files > 0 && ffree < FEW_FILES)
    return [warn(NAME, { message: `room for ${ffree} more files`, hint: "Remove some that you do not need." })];
  if (free < SCARCE) return [warn(NAME, { message, hint: `Make room on the disk that ${folder} is on.` })];
  if (written > SLOW_MS) return [warn(NAME, { message, hint: "Every change of a session waits for the disk." })];
  return [ok(NAME, message)];
}

async function write(folder: string): Promise<number | Told> {
  try {
    return (await probeFile(folder)).ms;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const full = "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
    const hint = full
      ? `Make room on the disk that ${folder} is on.`
      : "Make it writable for you, or choose another folder with TMPM_HOME.";
    return { message: `${folder} does not take a file: ${error.message}`, hint };
  }
}

function canMake(folder: string): number | Told {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { message: `nothing can be made in ${folder}: ${error.message}`, hint: "Choose a folder of yours with TMPM_HOME." };
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
