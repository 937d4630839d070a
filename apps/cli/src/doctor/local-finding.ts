import type { Finding, Location } from "@tmpm/api/local";

/** A finding of the command line itself, with its fix. */
export interface LocalFinding extends Finding {
  /** Resolves with a description of the fix; absent if the user must decide. */
  readonly cure?: () => Promise<string>;
}

/** The checked locations. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly location: Location;
  readonly uid: number;
}

export function ok(name: string, message: string): LocalFinding {
  return { name, status: "ok", message, hint: null };
}

export function warn(name: string, { message, hint, cure }: Problem): LocalFinding {
  return { name, status: "warn", message, hint, ...(cure === undefined ? {} : { cure }) };
}

export function fail(name: string, { message, hint, cure }: Problem): LocalFinding {
  return { name, status: "fail", message, hint, ...(cure === undefined ? {} : { cure }) };
}

export function skip(name: string, message: string): LocalFinding {
  return { name, status: "skip", message, hint: null };
}

export interface Problem {
  readonly message: string;
  readonly hint: string | null;
  readonly cure?: () => Promise<string>;
}
