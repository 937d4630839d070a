/** Keys with the same sequence in every mode, by tmux's names in lower case. */
const PLAIN: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  btab: "\u001b[Z",
  space: " ",
  bspace: "\u007f",
  kpenter: "\r",
  "kp/": "/",
  "kp*": "*",
  "kp-": "-",
  "kp+": "+",
  "kp.": ".",
  ...Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [`kp${digit}`, String(digit)])),
};

/** `CSI letter`, or `SS3 letter` in application mode; with a modifier `CSI 1 ; modifier letter`. */
const CURSOR: Readonly<Record<string, string>> = { up: "A", down: "B", right: "C", left: "D" };

/** `CSI number ~`, with a modifier `CSI number ; modifier ~`. */
const NUMBERED: Readonly<Record<string, number>> = {
  ic: 2,
  insert: 2,
  dc: 3,
  delete: 3,
  ppage: 5,
  pageup: 5,
  pgup: 5,
  npage: 6,
  pagedown: 6,
  pgdn: 6,
  ...Object.fromEntries([15, 17, 18, 19, 20, 21, 23, 24].map((number, index) => [`f${index + 5}`, number])),
};

/** `CSI number ~`, with a modifier `CSI 1 ; modifier letter`. */
const EDGES: Readonly<Record<string, { readonly number: number; readonly letter: string }>> = {
  home: { number: 1, letter: "H" },
  end: { number: 4, letter: "F" },
};

/** Keypad keys: `SS3 letter` in application mode. */
const KEYPAD: Readonly<Record<string, string>> = {
  kpenter: "M",
  "kp*": "j",
  "kp+": "k",
  "kp-": "m",
  "kp.": "n",
  "kp/": "o",
  ...Object.fromEntries(Array.from("pqrstuvwxy", (letter, digit) => [`kp${digit}`, letter])),
};

/** `SS3 letter`, with a modifier `CSI 1 ; modifier letter`. */
const FUNCTION: Readonly<Record<string, string>> = { f1: "P", f2: "Q", f3: "R", f4: "S" };

const MODIFIED = /^((?:[CMS]-){0,3})(.+)$/su;

/** The program's modes: application cursor keys, and the application keypad. */
export interface KeyModes {
  readonly cursor: boolean;
  readonly keypad: boolean;
}

/** A terminal's bytes for a key, by a name of `keyName`. */
export function keyBytes(key: string, modes: KeyModes): string {
  const [, modifiers = "", base = ""] = MODIFIED.exec(key) ?? [];
  const name = base.toLowerCase();
  const modifier = 1 + (modifiers.includes("S-") ? 1 : 0) + (modifiers.includes("M-") ? 2 : 0) + (modifiers.includes("C-") ? 4 : 0);
  const cursor = entry(CURSOR, name);
  if (cursor !== null) return modifier === 1 ? `\u001b${modes.cursor ? "O" : "["}${cursor}` : `\u001b[1;${modifier}${cursor}`;
  const number = entry(NUMBERED, name);
  if (number !== null) return modifier === 1 ? `\u001b[${number}~` : `\u001b[${number};${modifier}~`;
  const edge = entry(EDGES, name);
  if (edge !== null) return modifier === 1 ? `\u001b[${edge.number}~` : `\u001b[1;${modifier}${edge.letter}`;
  const letter = entry(FUNCTION, name);
  if (letter !== null) return modifier === 1 ? `\u001bO${letter}` : `\u001b[1;${modifier}${letter}`;
  const keypad = modes.keypad ? entry(KEYPAD, name) : null;
  const plain = keypad === null ? (entry(PLAIN, name) ?? base) : `\u001bO${keypad}`;
  const sent = modifiers.includes("C-") ? controlOf(plain) : plain;
  return modifiers.includes("M-") ? `\u001b${sent}` : sent;
}

/** Keys other than letters that send a control character. */
const CONTROLS: Readonly<Record<string, number>> = {
  " ": 0,
  "2": 0,
  "6": 30,
  "/": 31,
  "-": 31,
  "?": 127,
};

function controlOf(sent: string): string {
  const special = entry(CONTROLS, sent);
  if (special !== null) return String.fromCharCode(special);
  return /^[@-~]$/.test(sent) ? String.fromCharCode(sent.toUpperCase().charCodeAt(0) & 0x1f) : sent;
}

function entry<T>(table: Readonly<Record<string, T>>, name: string): T | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}
