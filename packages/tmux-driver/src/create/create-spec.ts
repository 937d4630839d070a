import { TERMINAL_TAG, TmpmError } from "@tmpm/core";
import type { CreateSpec } from "../driver.js";
import { launchScript } from "./launch-script.js";
import { tmuxName } from "./tmux-name.js";

const LARGEST = 10_000;

/** The name that tmux will give the session. @throws INVALID_ARGUMENT for values that tmux or a shell could not take exactly */
export function requireSpec(spec: CreateSpec): string {
  requireTag(spec.sessionId, "sessionId");
  for (const field of ["columns", "rows"] as const) {
    const size = spec[field];
    if (!Number.isInteger(size) || size < 1 || size > LARGEST) throw invalid(field, `${size} is not a terminal size`);
  }
  launchScript(spec);
  return tmuxName(spec.tmuxName);
}

/** @throws INVALID_ARGUMENT for text that a format could interpret */
export function requireTag(tag: string, field: string): void {
  if (!TERMINAL_TAG.test(tag)) throw invalid(field, `${JSON.stringify(tag)} cannot tag a pane`);
}

function invalid(field: string, message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { details: { field } });
}
