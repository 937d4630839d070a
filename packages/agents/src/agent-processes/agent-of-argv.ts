import { basename } from "node:path";

/** The programs of known agents, by their common names. */
const AGENTS: ReadonlyMap<string, string> = new Map([
  ["claude", "claude"],
  ["codex", "codex"],
  ["gemini", "gemini"],
  ["opencode", "opencode"],
  ["copilot", "copilot"],
  ["qwen", "qwen"],
  ["pi", "pi"],
  ["cn", "continue"],
]);

const INTERPRETER = /^(?:node|nodejs|bun|deno|python[\d.]*)$/;
const SCRIPT_ENDING = /\.(?:[cm]?js|ts|py)$/;

/** The agent that a process runs, by its program or by its interpreted script; null for other programs. */
export function agentOfArgv(argv: readonly string[]): string | null {
  const [program = "", ...rest] = argv;
  // A login shell's program begins with a dash, and a program that renames itself may add words.
  const name = basename((program.split(" ")[0] ?? "").replace(/^-/, ""));
  if (!INTERPRETER.test(name)) return AGENTS.get(name) ?? null;
  const script = rest.find((argument) => !argument.startsWith("-"));
  return script === undefined ? null : (AGENTS.get(basename(script).replace(SCRIPT_ENDING, "")) ?? null);
}
