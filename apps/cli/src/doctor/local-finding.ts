import type { Finding, Location } from "@tmpm/api/local";

/** A finding that the command line made itself, with what `--fix` does about it. */
export interface LocalFinding extends Finding {
  /** Resolves with what was done, in words; absent where people have to decide. */
  readonly cure?: () => Promise<string>;
}

/** Where the checks look. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly location: Location;
  readonly uid: number;
}

export function ok(name: string, message: string): LocalFinding {
  return { name, status: "ok", message, hint: null };
}

export function warn(name: string, { message, hint, cure }: Told): LocalFinding {
  return { name, status: "warn", message, hint, ...(cure === undefined ? {} : { cure }) };
}

export function fail(name: string, { message, hint, cure }: Told): LocalFinding {
  return { name, status: "fail", message, hint, ...(cure === undefined ? {} : { cure }) };
}

export function skip(name: string, message: string): LocalFinding {
  return { name, status: "skip", message, hint: null };
}

export interface Told {
  readonly message: string;
  readonly hint: string | null;
  readonly cure?: () => Promise<string>;
}
