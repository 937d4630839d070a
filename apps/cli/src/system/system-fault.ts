import { DISK_FULL, type Effect, type ErrorCode, SHORTAGES, TmpmError } from "@tmpm/core";

const REFUSED = {
  code: "STORE_READ_ONLY",
  hint: "Make it readable and writable for you, or choose another folder with TMPM_HOME.",
} as const;
const SHORT = { code: "RESOURCE_EXHAUSTED", hint: "End unneeded programs, or raise the limit (`ulimit -n`, `ulimit -u`)." } as const;
const FULL = { code: "STORAGE_FULL", hint: "Free space on the disk." } as const;
const ASTRAY = { code: "UNSAFE_PATH", hint: "Choose a folder that you own with TMPM_HOME." } as const;

type Fault = { readonly code: ErrorCode; readonly hint: string };

const each = (errnos: readonly string[], fault: Fault) => Object.fromEntries(errnos.map((errno) => [errno, fault]));

/** By errno name. */
const FAULTS: Readonly<Record<string, Fault>> = {
  ...each(SHORTAGES, SHORT),
  ...each(DISK_FULL, FULL),
  EACCES: REFUSED,
  EPERM: REFUSED,
  EROFS: REFUSED,
  ENOTDIR: ASTRAY,
  ELOOP: ASTRAY,
};

/** Calls whose failure does not concern the data folder. */
const ELSEWHERE = /^(spawn|kill|connect|bind|listen)\b/;

/** A system failure before any effect or request; any other error unchanged. */
export function refusedAtFirst(error: unknown): unknown {
  return systemFault(error, { effect: "none" }) ?? error;
}

/** A system failure, which is not a fault of tmpm; null for any other error. */
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
