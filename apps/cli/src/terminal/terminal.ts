import { setTimeout as sleep } from "node:timers/promises";
import { isatty } from "node:tty";
import type { Output } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";
import { print } from "./output.js";
import { terminalType } from "./terminal-type.js";

const NESTING_MS = 1000;

export function onTerminal(): boolean {
  return isatty(0) && isatty(1);
}

/** @throws INVALID_ARGUMENT when standard input or output is not a terminal */
export function requireTerminal(): void {
  if (onTerminal()) return;
  throw usageError("attaching needs a terminal", "Run it in a terminal; `tmpm capture SESSION` prints the screen once.");
}

export interface Surroundings {
  readonly env: Context["env"];
  /** The command that switches a terminal inside the session's own tmux server. */
  readonly within: readonly string[] | null;
}

/** Runs the command that attaches until it is detached or the session ends. Returns its exit status. @throws PREREQUISITE_MISSING */
export async function attachTerminal(
  { argv, nested = null }: Pick<Output<"attach">, "argv" | "nested">,
  { env, within }: Surroundings,
): Promise<number> {
  const { TMUX: outer, TMUX_PANE: _, ...rest } = env;
  if (within === null && outer !== undefined && nested !== null) await explain(nested);
  const { term, note } = terminalType(env);
  if (within === null && note !== null) await explain(note);
  const { inForeground } = await import("../daemon/foreground.js");
  const [program = "", ...args] = within ?? argv;
  return inForeground([program, ...args], within === null ? { ...rest, TERM: term } : env);
}

/** The session takes over the screen, so the line is shown briefly first. */
async function explain(text: string): Promise<void> {
  print(`tmpm: ${visibleText(text)}\n`, 2);
  await sleep(NESTING_MS);
}
