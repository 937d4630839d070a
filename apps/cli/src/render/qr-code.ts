import { encode } from "uqr";
import type { View } from "../context.js";
import { NO_TERMINAL } from "./terminal-view.js";

/** Width of the quiet zone, which cameras need. */
const BORDER = 2;

/** The lines of a text's QR code: black on white with colours, else for a dark terminal. Empty if it does not fit or cannot be drawn. */
export function qrCode(text: string, { terminal = NO_TERMINAL }: View): readonly string[] {
  if (!terminal.unicode) return [];
  const { data, size } = encode(text, { ecc: "L", border: BORDER });
  if (terminal.columns !== null && terminal.columns < size) return [];
  const dark = (row: number, column: number) => data[row]?.[column] ?? false;
  const rows = Array.from({ length: Math.ceil(size / 2) }, (_, index) => index * 2);
  return rows.map((row) => {
    const cells = Array.from({ length: size }, (_, column) => BLOCKS[lit(!dark(row, column), !dark(row + 1, column) && row + 1 < size)]);
    return terminal.colour ? `\u001b[97;40m${cells.join("")}\u001b[0m` : cells.join("");
  });
}

/** Light modules are drawn, white on black. */
const BLOCKS = [" ", "▄", "▀", "█"] as const;

function lit(upper: boolean, lower: boolean): 0 | 1 | 2 | 3 {
  if (upper) return lower ? 3 : 2;
  return lower ? 1 : 0;
}
