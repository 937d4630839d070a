import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasErrno, requireSocketPath, TERMINAL_TAG } from "@tmpm/core";
import { TmpmError } from "@tmpm/core/errors";

/** The folder of a session's holder: `<base>/<session id>`. @throws INVALID_ARGUMENT, SOCKET_PATH_TOO_LONG */
export function holderFolder(base: string, sessionId: string): string {
  if (!TERMINAL_TAG.test(sessionId)) {
    throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(sessionId)} cannot name a holder`, { details: { field: "sessionId" } });
  }
  const folder = join(base, sessionId);
  requireSocketPath(socketPath(folder), "Use a shorter TMPM_HOME.");
  return folder;
}

/** The socket of a session's holder. @throws INVALID_ARGUMENT, SOCKET_PATH_TOO_LONG */
export function holderSocket(base: string, sessionId: string): string {
  return socketPath(holderFolder(base, sessionId));
}

export function socketPath(folder: string): string {
  return join(folder, "s");
}

export function factsPath(folder: string): string {
  return join(folder, "facts");
}

/** The launch instructions, until a holder claims them. */
export function launchPath(folder: string): string {
  return join(folder, LAUNCH);
}

/** A process that has claimed launch instructions. `start` is as the system reports it; empty if it does not, and in claims of earlier versions. */
export interface Claimant {
  readonly pid: number;
  readonly start: string;
}

/** The launch instructions from the claim of a process until it has written its facts. */
export function claimedPath(folder: string, { pid, start }: Claimant): string {
  return join(folder, `${LAUNCH}.${pid}${start === "" ? "" : `.${encodeURIComponent(start)}`}`);
}

/** A snapshot: whether it has facts, and the processes that have claimed its launch instructions but not written theirs. */
export function contentsOf(folder: string): { readonly hasFacts: boolean; readonly claimants: readonly Claimant[] } {
  const names = readdirSync(folder);
  const claims = names.map((name) => CLAIM.exec(name)?.groups);
  const claimants = claims.flatMap((claim) =>
    claim === undefined ? [] : [{ pid: Number(claim.pid), start: decodeURIComponent(claim.start ?? "") }],
  );
  return { hasFacts: names.includes(basename(factsPath(folder))), claimants };
}

const LAUNCH = "launch";
const CLAIM = new RegExp(`^${LAUNCH}\\.(?<pid>\\d+)(?:\\.(?<start>.+))?$`);

/** The reason why the holder did not start. */
export function failurePath(folder: string): string {
  return join(folder, "failed");
}

/** The stack of an error that has ended the holder. */
export function faultPath(folder: string): string {
  return join(folder, "fault");
}

export function folderOf(identity: { readonly socket: string }): string {
  return dirname(identity.socket);
}

/** The folders of all holders, including ended ones; none if the base does not exist. @throws UNRESPONSIVE for one that cannot be read */
export async function holderFolders(base: string): Promise<readonly string[]> {
  try {
    return (await readdir(base)).filter((name) => TERMINAL_TAG.test(name)).map((name) => join(base, name));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ENOENT") return [];
    throw new TmpmError("UNRESPONSIVE", `the folder of the holders cannot be read: ${error.message}`, {
      details: { path: base },
      cause: error,
    });
  }
}

/** Readable only by us if it is created here. Removes what killed processes left. @throws errors of the file system */
export async function prepareBase(base: string): Promise<void> {
  await mkdir(base, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(base)) if (name.startsWith(PASSING)) rmSync(join(base, name), { recursive: true, force: true });
}

/** Prefix of folders that are not yet, or no longer, a holder's. They exist only within one synchronous call. */
const PASSING = ".passing-";

function passingFolder(folder: string): string {
  return join(dirname(folder), `${PASSING}${randomBytes(8).toString("hex")}-${basename(folder)}`);
}

/**
 * Creates the folder with its launch file in one step: an empty folder is free. False if it exists and is not empty. @throws errors of
 * the file system; then nothing is left
 */
export function createFolder(folder: string, launch: string): boolean {
  const draft = passingFolder(folder);
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(launchPath(draft), launch, { flag: "wx", mode: 0o600 });
    renameSync(draft, folder);
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (hasErrno(error, "ENOTEMPTY", "EEXIST", "ENOTDIR")) return false;
    throw error;
  }
}

/** Removes it with its files, which disappear in one step. On a read-only disk it stays, and describes an ended holder. */
export function removeFolder(folder: string): void {
  const away = passingFolder(folder);
  try {
    renameSync(folder, away);
    rmSync(away, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "EROFS", "EACCES", "EPERM")) throw error;
  }
}
