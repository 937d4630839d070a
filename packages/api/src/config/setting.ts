import type { Form } from "./form.js";

/** One configurable value. */
export interface Setting<T> {
  readonly form: Form<T>;
  /** Null for none: unset by default, or dependent on the machine, as `usual` describes. */
  readonly fallback: T | null;
  readonly usual?: string;
  readonly env: string;
  /** The option of a command that sets it. */
  readonly flag?: string;
  readonly summary: string;
  /** When a change of the file takes effect: in the running daemon at once, at its next start, or in the next command. */
  readonly counts: "at once" | "restart" | "command";
  /** Never shown on screens that others may see; `withheld` exists in the environment only. */
  readonly secrecy?: "hidden" | "withheld";
}

/** A setting that always has a value. */
export function setting<T>(given: Omit<Setting<T>, "fallback"> & { readonly fallback: NoInfer<T> }): Setting<T> & { readonly fallback: T } {
  return given;
}

/** A setting that may be unset. */
export function optional<T>(given: Omit<Setting<T>, "fallback">): Setting<T> & { readonly fallback: null } {
  return { ...given, fallback: null };
}
