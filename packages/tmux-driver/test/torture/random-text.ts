import { type Chance, pick } from "./seeded.js";

/** Characters that shells, tmux and terminals interpret as syntax. */
const SYNTAX = [
  ...";-\\'\"#{}()[]$`%~!&|<>*?=:,.@^ \t\n",
  ...[
    "#{pid}",
    "#(touch x)",
    "%H",
    "%end 1 2 0",
    "-R",
    "--",
    ";;",
    "\\;",
    "\\012",
    "$HOME",
    "e\u0301",
    "\u202e",
    "👩‍👩‍👧",
    "\ufeff",
    "[200~",
    "\r\n",
    "\r",
  ],
];
/** Terminal controls, and halves of surrogate pairs. */
const FORBIDDEN = [
  ..."\0\u0001\u0003\u0007\b\u000b\f\u000e\u001b\u001f\u007f\u0080\u0085\u009b\u009f",
  "\ud800",
  "\udbff",
  "\udc00",
  "\udfff",
];

/** Valid Unicode of all planes, biased towards syntax; controls only TAB, LF and CR. */
export function randomText(chance: Chance): string {
  const length = 1 + chance(pick([1, 4, 40, 200], chance));
  return Array.from({ length }, () => (chance(3) === 0 ? pick(SYNTAX, chance) : character(chance))).join("");
}

/** A text with one forbidden character, and its position in UTF-16 units. */
export function forbiddenText(chance: Chance): { readonly text: string; readonly position: number } {
  const before = chance(4) === 0 ? "" : randomText(chance);
  const after = chance(4) === 0 ? "" : randomText(chance);
  return { text: `${before}${pick(FORBIDDEN, chance)}${after}`, position: before.length };
}

function character(chance: Chance): string {
  const plane = pick([0, 0, 0, 1 + chance(16)], chance);
  const point = plane * 0x1_0000 + chance(plane === 0 && chance(2) === 0 ? 0x250 : 0x1_0000);
  const isControl = point < 0x20 || (point >= 0x7f && point < 0xa0);
  const isSurrogate = point >= 0xd800 && point < 0xe000;
  return isControl || isSurrogate ? "ÿ" : String.fromCodePoint(point);
}
