import { basename } from "node:path";
import { AGENT_PROGRAMS } from "@tmpm/core";

const INTERPRETER = /^(?:node|nodejs|bun|deno|python[\d.]*)$/;
const SCRIPT_ENDING = /\.(?:[cm]?js|ts|py)$/;

/** The agent that a process runs, by its program or by its interpreted script; null for other programs. */
export function agentOfArgv(argv: readonly string[]): string | null {
  const [program = "", ...rest] = argv;
  // A login shell's program begins with a dash, and a program that renames itself may add words.
  const name = basename((program.split(" ")[0] ?? "").replace(/^-/, ""));
  if (!INTERPRETER.test(name)) return AGENT_PROGRAMS.get(name) ?? null;
  const script = rest.find((argument) => !argument.startsWith("-"));
  return script === undefined ? null : (AGENT_PROGRAMS.get(basename(script).replace(SCRIPT_ENDING, "")) ?? null);
}
