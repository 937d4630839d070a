import { visibleText } from "@tmpm/core";
import type { GitResult } from "./git.js";

/** The lock file that git left, or that keeps it from running; null without one. */
export function lockIn(result: GitResult): string | null {
  if (result.kind === "unavailable") return result.locks?.[0] ?? null;
  return /Unable to create '(.+\.lock)': File exists/.exec(result.stderr)?.[1] ?? null;
}

/** How to remove it, as part of an error. */
export function lockHint(lock: string | null): { readonly hint?: string } {
  if (lock === null) return {};
  return { hint: `Another git works there, or an ended one left ${visibleText(lock)}: if none does, remove that file, then try again.` };
}
