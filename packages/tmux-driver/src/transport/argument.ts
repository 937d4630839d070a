import type { Command } from "./channel.js";

/** An element of a tmux client's argv. tmux reads a `;` at the end of any element as the end of the command. */
export function argument(word: string): string {
  return word.endsWith(";") ? `${word.slice(0, -1)}\\;` : word;
}

/** The argv of a client that runs the commands in order. */
export function clientArguments(commands: readonly Command[]): string[] {
  return commands.flatMap((command, index) => [...(index === 0 ? [] : [";"]), ...command.map(argument)]);
}

/** Names of commands, options, numbers and pane ids. */
const PLAIN = /^(?:-{0,2}[A-Za-z0-9][A-Za-z0-9-]*|%\d+)$/;

/** A word quoted so that tmux's own command parser reads it back unchanged. */
export function quoted(word: string): string {
  if (PLAIN.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** Commands as one string, for the branches of `if-shell`. */
export function commandText(commands: readonly Command[]): string {
  return commands.map((command) => command.map(quoted).join(" ")).join(" ; ");
}
