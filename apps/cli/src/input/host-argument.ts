import type { ControlModel } from "@tmpm/core";
import { usageError } from "../parse/usage-error.js";

/** By the names of `--host`. */
export const HOSTS: ReadonlyMap<string, ControlModel> = new Map([
  ["tmux", "Tmux"],
  ["pty", "Pty"],
  ["sdk", "Sdk"],
]);

/** The host for `--host`. @throws INVALID_ARGUMENT */
export function hostArgument(name: string | undefined): ControlModel | undefined {
  if (name === undefined) return undefined;
  const host = HOSTS.get(name);
  if (host === undefined)
    throw usageError(`the host ${JSON.stringify(name)} does not exist`, `Use one of ${[...HOSTS.keys()].join(", ")}.`);
  return host;
}
