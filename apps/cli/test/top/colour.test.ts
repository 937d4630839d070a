import { expect, test } from "vitest";
import { dashboard } from "../../src/top/dashboard.js";
import { TUI } from "../../src/top/terminal-ui.js";
import { approval, session } from "./sessions.js";
import { terminal } from "./terminal.js";

const nothing = () => undefined;
/** The dashboard's output in a terminal of 80 columns. */
function drawn(env: Readonly<Record<string, string>>): string {
  const tui = new TUI(terminal);
  const board = dashboard(tui, { env: { TERM: "xterm", ...env }, size: { columns: 80, rows: 24 }, send: nothing });
  board.hear({ kind: "listed", node: null, sessions: [session("asks", "awaiting_approval", { decision: approval("make") })], problems: 0 });
  return tui.children.flatMap((child) => child.render(80)).join("\n");
}

test.each([
  [{}, true],
  [{ NO_COLOR: "1" }, false],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true],
  [{ FORCE_COLOR: "0" }, false],
  [{ CLICOLOR: "0" }, false],
  [{ CLICOLOR: "0", CLICOLOR_FORCE: "1" }, true],
])("the dashboard follows the same variables as every other command: %j", (env, coloured) => {
  expect(/\u001b\[(?:[\d;]*;)?3\dm/.test(drawn(env))).toBe(coloured);
});
