import { type Effect, type ErrorCode, TmpmError } from "@tmpm/core";

const REFUSED = {
  code: "STORE_READ_ONLY",
  hint: "Make it readable and writable for you, or choose another folder with TMPM_HOME.",
} as const;
const SHORT = { code: "RESOURCE_EXHAUSTED", hint: "End what is not needed, or raise the limit (`ulimit -n`, `ulimit -u`)." } as const;
const FULL = { code: "STORAGE_FULL", hint: "Make room on the disk." } as const;
const ASTRAY = { code: "UNSAFE_PATH", hint: "Choose a folder of your own with TMPM_HOME." } as const;

/** By the symbol of the system call's failure. */
const FAULTS: Readonly<Record<string, { readonly code: ErrorCode; readonly hint: string }>> = {
  EACCES: REFUSED,
  EPERM: REFUSED,
  EROFS: REFUSED,
  EMFILE: SHORT,
  ENFILE: SHORT,
  ENOMEM: SHORT,
  ENOSPC: FULL,
  EDQUOT: FULL,
  ENOTDIR: ASTRAY,
  ELOOP: ASTRAY,
};

/** Calls whose refusal says nothing of the data folder. */
const ELSEWHERE = /^(spawn|kill|connect|bind|listen)\b/;

/** What a machine refused before anything was done or asked; any other error as it is. */
export function refusedAtFirst(error: unknown): unknown {
  return systemFault(error, { effect: "none" }) ?? error;
}

/** What a machine refused, which is not a fault of tmpm's; null for any other error. */
export function systemFault(error: unknown, { effect = "unknown" }: { readonly effect?: Effect } = {}): TmpmError | null {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error) || typeof error.code !== "string") return null;
  const fault = FAULTS[error.code];
  if (fault === undefined || (fault !== SHORT && ELSEWHERE.test(String(error.syscall)))) return null;
  const path = "path" in error && typeof error.path === "string" ? { path: error.path } : {};
  return new TmpmError(fault.code, error.message, {
    effect,
    hint: fault.hint,
    details: { errno: error.code, ...path },
    cause: error,
  });
}
