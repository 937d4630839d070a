import { closeSync, constants, fsyncSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { TmpmError } from "@tmpm/core";

/** A new file for a secret, created with mode 0600. */
export interface SecretFile {
  write(secret: string): void;
  /** Removes the file again. */
  discard(): void;
}

/** @throws TARGET_EXISTS, DIRECTORY_NOT_FOUND, STORE_READ_ONLY */
export function secretFile(path: string): SecretFile {
  const fd = create(path);
  return {
    write(secret) {
      writeFileSync(fd, `${secret}\n`);
      fsyncSync(fd);
      closeSync(fd);
    },
    discard() {
      closeSync(fd);
      unlinkSync(path);
    },
  };
}

const CODES = { EEXIST: "TARGET_EXISTS", ELOOP: "TARGET_EXISTS", ENOENT: "DIRECTORY_NOT_FOUND", ENOTDIR: "DIRECTORY_NOT_FOUND" } as const;

function create(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error;
    const code = error.code in CODES ? CODES[error.code as keyof typeof CODES] : "STORE_READ_ONLY";
    throw new TmpmError(code, `the file ${path} cannot be created (${error.code})`, { details: { path }, cause: error });
  }
}
