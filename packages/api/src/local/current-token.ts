import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { hasErrno } from "@tmpm/core/errno";
import { TmpmError } from "@tmpm/core/errors";
import { currentUid } from "./current-location.js";

/** The token in `TMPM_TOKEN`, or in the file named by `TMPM_TOKEN_FILE`; null without either. @throws UNSAFE_PATH, FILE_NOT_FOUND */
export function currentToken({ TMPM_TOKEN: token, TMPM_TOKEN_FILE: file }: Readonly<Record<string, string | undefined>>): string | null {
  if (token !== undefined && token !== "") return checked(token, "TMPM_TOKEN");
  return file === undefined || file === "" ? null : checked(readPrivate(file).trim(), file);
}

function readPrivate(path: string): string {
  const fd = open(path);
  try {
    const stats = fstatSync(fd);
    const fault = !stats.isFile()
      ? "is not a file"
      : stats.uid !== currentUid()
        ? "belongs to another user"
        : (stats.mode & 0o077) !== 0
          ? "is open to other users"
          : null;
    if (fault !== null)
      throw new TmpmError("UNSAFE_PATH", `the token file ${path} ${fault}`, {
        hint: `Restrict it: chmod 600 ${path}`,
        details: { path },
      });
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

function open(path: string): number {
  try {
    // Opening a pipe must not block.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "EACCES", "ENOTDIR")) throw error;
    throw new TmpmError("FILE_NOT_FOUND", `the token file ${path} cannot be read (${error.code})`, { details: { path }, cause: error });
  }
}

/** An error message would repeat an invalid token, and such a token would break the header. */
function checked(token: string, from: string): string {
  if (/^[\w-]{1,128}$/.test(token)) return token;
  throw new TmpmError("INVALID_ARGUMENT", `${from} does not contain a token`, { hint: "A token has letters, digits, - and _ only." });
}
