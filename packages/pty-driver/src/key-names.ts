import { TmpmError } from "@tmpm/core";
import { isKey } from "./key-bytes.js";

/** @throws INVALID_ARGUMENT for a name that is no key */
export function requireKeys(keys: readonly string[]): void {
  if (keys.length === 0) throw new TmpmError("INVALID_ARGUMENT", "no key was named", { details: { field: "keys" } });
  const unknown = keys.find((key) => !isKey(key));
  if (unknown === undefined) return;
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(unknown)} is no key`, {
    hint: "Use tmux's names, such as Enter, Escape, C-c, Up, F1 or a single character.",
    details: { field: "keys", key: unknown },
  });
}
