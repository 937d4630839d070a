import type { Form } from "./form.js";

/** One thing that can be configured. */
export interface Setting<T> {
  readonly form: Form<T>;
  /** Null where there is none: nothing is chosen, or it depends on the machine, as `usual` says. */
  readonly fallback: T | null;
  readonly usual?: string;
  readonly env: string;
  /** The option of a command that sets it. */
  readonly flag?: string;
  readonly summary: string;
  /** When a change of the file counts: in the running daemon at once, from its next start on, or for the next command. */
  readonly counts: "at once" | "restart" | "command";
  /** Not shown on screens that others may see; `withheld` exists in the environment only. */
  readonly secrecy?: "hidden" | "withheld";
}

/** A setting that always has a value. */
export function setting<T>(given: Omit<Setting<T>, "fallback"> & { readonly fallback: NoInfer<T> }): Setting<T> & { readonly fallback: T } {
  return given;
}

/** A setting that may have none. */
export function optional<T>(given: Omit<Setting<T>, "fallback">): Setting<T> & { readonly fallback: null } {
  return { ...given, fallback: null };
}
