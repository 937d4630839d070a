import { TmpmError } from "./errors.js";

const SHORTAGES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN"]);

/** A system call that failed for lack of files, memory or processes, as RESOURCE_EXHAUSTED; null for any other error. */
export function shortageOf(error: unknown): TmpmError | null {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error) || !SHORTAGES.has(error.code)) return null;
  return new TmpmError("RESOURCE_EXHAUSTED", error.message, { cause: error });
}
