/** Keys that send the same whatever the program asked for, by tmux's names in small letters. */
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

/** `CSI letter`, or `SS3 letter` for a program that asked for it; with a modifier `CSI 1 ; modifier letter`. */
const CURSOR: Readonly<Record<string, string>> = { up: "A", down: "B", right: "C", left: "D" };

/** `CSI number ~`, with a modifier `CSI number ; modifier ~`. */
const NUMBERED: Readonly<Record<string, number>> = {
  home: 1,
  ic: 2,
  insert: 2,
  dc: 3,
  delete: 3,
  end: 4,
  ppage: 5,
  pageup: 5,
  pgup: 5,
  npage: 6,
  pagedown: 6,
  pgdn: 6,
  ...Object.fromEntries([15, 17, 18, 19, 20, 21, 23, 24].map((number, index) => [`f${index + 5}`, number])),
};

/** `SS3 letter`, with a modifier `CSI 1 ; modifier letter`. */
const FUNCTION: Readonly<Record<string, string>> = { f1: "P", f2: "Q", f3: "R", f4: "S" };

const TABLES = [PLAIN, CURSOR, NUMBERED, FUNCTION] as const;
const MODIFIED = /^((?:[CMS]-){0,3})(.+)$/su;

/** Whether tmux would take it for a key. */
export function isKey(key: string): boolean {
  const match = MODIFIED.exec(key);
  if (match === null) return false;
  const [, modifiers = "", base = ""] = match;
  if (TABLES.some((table) => Object.hasOwn(table, base.toLowerCase()))) return true;
  if (modifiers === "") return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(base);
  return !modifiers.includes("S-") && /^[!-~]$/.test(base);
}

/** What a terminal sends for a key of tmux's name; `application` is whether the program asked for application cursor keys. */
export function keyBytes(key: string, application: boolean): string {
  const [, modifiers = "", base = ""] = MODIFIED.exec(key) ?? [];
  const name = base.toLowerCase();
  const modifier = 1 + (modifiers.includes("S-") ? 1 : 0) + (modifiers.includes("M-") ? 2 : 0) + (modifiers.includes("C-") ? 4 : 0);
  const cursor = entry(CURSOR, name);
  if (cursor !== null) return modifier === 1 ? `\u001b${application ? "O" : "["}${cursor}` : `\u001b[1;${modifier}${cursor}`;
  const number = entry(NUMBERED, name);
  if (number !== null) return modifier === 1 ? `\u001b[${number}~` : `\u001b[${number};${modifier}~`;
  const letter = entry(FUNCTION, name);
  if (letter !== null) return modifier === 1 ? `\u001bO${letter}` : `\u001b[1;${modifier}${letter}`;
  const plain = entry(PLAIN, name) ?? base;
  const sent = modifiers.includes("C-") ? controlOf(plain) : plain;
  return modifiers.includes("M-") ? `\u001b${sent}` : sent;
}

/** The keys beyond the letters that send a control character. */
const CONTROLS: Readonly<Record<string, number>> = {
  " ": 0,
  "2": 0,
  "3": 27,
  "4": 28,
  "5": 29,
  "6": 30,
  "7": 31,
  "8": 127,
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
