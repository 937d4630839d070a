/** The disk, or the user's part of it, is full. */
export const DISK_FULL: readonly string[] = ["ENOSPC", "EDQUOT"];

/** The symbol of a failed system call, such as `ENOENT`; null for any other error. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : null;
}

/** Whether a system call failed with one of these symbols. */
export function hasErrno(error: unknown, ...symbols: readonly string[]): error is Error & { readonly code: string } {
  const errno = errnoOf(error);
  return errno !== null && symbols.includes(errno);
}
