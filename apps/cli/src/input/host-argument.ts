import type { ControlModel } from "@tmpm/core";
import { usageError } from "../parse/usage-error.js";

const HOSTS: ReadonlyMap<string, ControlModel> = new Map([
  ["tmux", "Tmux"],
  ["pty", "Pty"],
  ["sdk", "Sdk"],
]);

/** What `--host` names. @throws INVALID_ARGUMENT */
export function hostArgument(name: string | undefined): ControlModel | undefined {
  if (name === undefined) return undefined;
  const host = HOSTS.get(name);
  if (host === undefined) throw usageError(`there is no host ${JSON.stringify(name)}`, `Name one of ${[...HOSTS.keys()].join(", ")}.`);
  return host;
}
