import { quoted } from "../transport/argument.js";
import type { Command } from "../transport/channel.js";

/** One line for a control-mode client that runs the commands in order, up to the first failure. */
export function commandLine(commands: readonly Command[]): string {
  return `${commands.map((command) => command.map(word).join(" ")).join(" ; ")}\n`;
}

/** A line ends at a line feed even inside quotes, so a word with one is written with octal escapes. */
function word(text: string): string {
  if (!/[\n\r]/.test(text)) return quoted(text);
  const escaped = text
    .replace(/[\\"$~]/g, "\\$&")
    .replaceAll("\n", "\\012")
    .replaceAll("\r", "\\015");
  return `"${escaped}"`;
}
