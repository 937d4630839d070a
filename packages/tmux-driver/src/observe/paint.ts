import { decodeOctal } from "../control/octal.js";
import type { Screen } from "../driver.js";
import type { Command } from "../transport/channel.js";
import { withDrawnLines } from "./line-drawing.js";
import type { RowFormats } from "./pane-row.js";

/** Sequences that set and reset a mode, by tmux's name of it. */
const MODES = {
  wrap_flag: ["\u001b[?7h", "\u001b[?7l"],
  insert_flag: ["\u001b[4h", "\u001b[4l"],
  keypad_cursor_flag: ["\u001b[?1h", "\u001b[?1l"],
  keypad_flag: ["\u001b=", "\u001b>"],
  mouse_standard_flag: ["\u001b[?1000h", "\u001b[?1000l"],
  mouse_button_flag: ["\u001b[?1002h", "\u001b[?1002l"],
  mouse_all_flag: ["\u001b[?1003h", "\u001b[?1003l"],
  mouse_utf8_flag: ["\u001b[?1005h", "\u001b[?1005l"],
  mouse_sgr_flag: ["\u001b[?1006h", "\u001b[?1006l"],
} as const;

const FACTS = ["alternate_on", "scroll_region_upper", "scroll_region_lower", "origin_flag", ...Object.keys(MODES)];

/** Commands that print a pane's modes, its screen with colours, and the bytes of an incomplete sequence. */
export function paintCommands({ text }: Pick<RowFormats, "text">, paneId: string): Command[] {
  return [
    ["display-message", "-p", "-t", paneId, `${text}${FACTS.map((name) => `#{${name}}`).join("\t")}`],
    ["capture-pane", "-p", "-e", "-N", "-t", paneId],
    ["display-message", "-p", text],
    ["capture-pane", "-p", "-P", "-C", "-t", paneId],
  ];
}

export function paintFromTexts([painted = "", pending = ""]: readonly string[], screen: Screen): Buffer {
  const [facts = "", ...lines] = withDrawnLines(painted).split("\n");
  const values = facts.split("\t");
  const modes = Object.fromEntries(FACTS.map((name, index) => [name, values[index] ?? ""]));
  const text = paintedScreen({ lines, cursor: screen.cursor, rows: screen.pane.rows, modes });
  return Buffer.concat([Buffer.from(text), decodeOctal(Buffer.from(pending.replaceAll("\\\\", "\\134").trim()))]);
}

export interface Painting {
  readonly lines: readonly string[];
  readonly cursor: Screen["cursor"];
  readonly rows: number;
  /** By tmux's names: `1` is on. */
  readonly modes: Readonly<Record<string, string>>;
}

/**
 * Clears a terminal and paints the screen; the cursor ends at the pane's position. Attributes that tmux does not report (the colour of the
 * next character) are defaults.
 */
export function paintedScreen({ lines, cursor, rows, modes }: Painting): string {
  const top = Number(modes.scroll_region_upper ?? 0);
  const bottom = Number(modes.scroll_region_lower ?? rows - 1);
  const origin = modes.origin_flag === "1";
  return [
    `\u001b[!p\u001b[0m\u001b[r\u001b[?6l\u001b[4l\u001b[?7h\u001b[?1049${modes.alternate_on === "1" ? "h" : "l"}\u001b[H\u001b[2J`,
    // A colour that continues in the next line is not repeated there.
    `${lines.join("\r\n")}\u001b[0m`,
    top === 0 && bottom === rows - 1 ? "" : `\u001b[${top + 1};${bottom + 1}r`,
    ...Object.entries(MODES).map(([name, [on, off]]) => (modes[name] === "1" ? on : off)),
    origin ? "\u001b[?6h" : "",
    `\u001b[${cursor.row + 1 - (origin ? top : 0)};${cursor.column + 1}H\u001b[?25${cursor.visible ? "h" : "l"}`,
  ].join("");
}
