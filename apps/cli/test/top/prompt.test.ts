import { expect, test } from "vitest";
import { dashboard } from "../../src/top/dashboard.js";
import type { Message } from "../../src/top/message.js";
import { TUI, visibleWidth } from "../../src/top/terminal-ui.js";
import { session } from "./sessions.js";
import { terminal } from "./terminal.js";

const INVISIBLE = [
  "\u007f",
  "\u0085",
  "\u009b",
  "\u200b",
  "\u200d",
  "\u200e",
  "\u202a",
  "\u2066",
  "\u3164",
  "\ufe0f",
  "\ufeff",
  "\u{e0041}",
];
const COMMANDS = ["send", "search", "filter"] as const;

/** The rows of the dashboard after text was pasted into a prompt. */
function rowsWith(command: (typeof COMMANDS)[number], pasted: string, columns: number): readonly string[] {
  const tui = new TUI(terminal);
  const messages: Message[] = [];
  const board = dashboard(tui, { env: { TERM: "xterm" }, size: { columns, rows: 24 }, send: (message) => messages.push(message) });
  board.hear({ kind: "listed", node: null, sessions: [session("demo", "idle")], problems: 0 });
  board.hear({ kind: "command", command: "first" });
  board.hear({ kind: "command", command });
  const [component] = tui.children;
  component?.handleInput?.(`\u001b[200~${pasted}\u001b[201~`);
  return component?.render(columns) ?? [];
}

test.each(
  COMMANDS.flatMap((command) => INVISIBLE.map((character) => [character.codePointAt(0)?.toString(16), command, character] as const)),
)("U+%s pasted into the prompt of %s does not make a row wider than the terminal", (_, command, character) => {
  for (const columns of [20, 80])
    for (const text of [character, `a${character.repeat(7)}b`, `${"word ".repeat(3)}${character.repeat(200)}`]) {
      const rows = rowsWith(command, text, columns);
      expect(rows).toHaveLength(24);
      for (const row of rows) expect(visibleWidth(row)).toBeLessThanOrEqual(columns);
    }
});
