import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TmpmError } from "@tmpm/core/errors";

/** A unix socket's path, including its final zero, has 104 bytes on macOS and 108 on Linux. */
const MAX_BYTES = 103;
const TAG = /^[A-Za-z0-9_-]{1,64}$/;

/** The folder of a session's holder: `<base>/<session id>`. @throws INVALID_ARGUMENT, SOCKET_PATH_TOO_LONG */
export function holderFolder(base: string, sessionId: string): string {
  if (!TAG.test(sessionId)) {
    throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(sessionId)} cannot name a holder`, { details: { field: "sessionId" } });
  }
  const folder = join(base, sessionId);
  const bytes = Buffer.byteLength(socketPath(folder));
  if (bytes <= MAX_BYTES) return folder;
  throw new TmpmError("SOCKET_PATH_TOO_LONG", `the socket path has ${bytes} bytes; ${MAX_BYTES} is the most`, {
    hint: "Use a shorter TMPM_HOME.",
    details: { path: socketPath(folder), bytes, limit: MAX_BYTES },
  });
}

export function socketPath(folder: string): string {
  return join(folder, "s");
}

export function factsPath(folder: string): string {
  return join(folder, "facts");
}

/** The launch instructions, until the holder has read them. */
export function launchPath(folder: string): string {
  return join(folder, "launch");
}

/** The reason why the holder did not start. */
export function failurePath(folder: string): string {
  return join(folder, "failed");
}

export function folderOf(identity: { readonly socket: string }): string {
  return dirname(identity.socket);
}

/** The folders of all holders, including ended ones; none if the base does not exist. @throws UNRESPONSIVE for one that cannot be read */
export async function holderFolders(base: string): Promise<readonly string[]> {
  try {
    return (await readdir(base)).filter((name) => TAG.test(name)).map((name) => join(base, name));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ENOENT") return [];
    throw new TmpmError("UNRESPONSIVE", `the folder of the holders cannot be read: ${error.message}`, {
      details: { path: base },
      cause: error,
    });
  }
}

/** Readable only by us if it is created here. @throws errors of the file system */
export async function prepareBase(base: string): Promise<void> {
  await mkdir(base, { recursive: true, mode: 0o700 });
}
