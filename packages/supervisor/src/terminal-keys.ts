import { TmpmError } from "@tmpm/core";

/** Terminal input of a user: keys by tmux's names, or text to paste. */
export type Typing = { readonly kind: "keys"; readonly keys: readonly string[] } | { readonly kind: "paste"; readonly text: string };

/** Maximum number of keys in one command of a tmux process. */
const MOST_KEYS = 500;

const NAMED: Readonly<Record<string, string>> = {
  "\0": "C-@",
  "\t": "Tab",
  "\r": "Enter",
  "\u001b": "Escape",
  " ": "Space",
  "\u007f": "BSpace",
  "\u001c": "C-\\",
};

/** A run of text without keys of its own, else one character. */
const PIECE = /[^\u0000-\u007f\p{L}\p{N}\p{P}\p{S}]+|./gsu;
const REFUSED = /[\u0080-\u009f]|[\ud800-\udfff]/u;

/**
 * The bytes of a terminal emulator's input as keys: control characters and escape sequences character by character.
 * @throws INVALID_TEXT for C1 controls and lone surrogates
 */
export function terminalKeys(text: string): readonly Typing[] {
  if (REFUSED.test(text))
    throw new TmpmError("INVALID_TEXT", "the text contains characters that no key sends", { details: { field: "text" } });
  const typed: Typing[] = [];
  let keys: string[] = [];
  const press = () => {
    if (keys.length > 0) typed.push({ kind: "keys", keys });
    keys = [];
  };
  for (const [piece] of text.matchAll(PIECE)) {
    if (isKey(piece)) keys.push(keyOf(piece));
    else {
      press();
      typed.push({ kind: "paste", text: piece });
    }
    if (keys.length === MOST_KEYS) press();
  }
  press();
  return typed;
}

function isKey(piece: string): boolean {
  return /^(?:[\u0000-\u007f]|[\p{L}\p{N}\p{P}\p{S}])$/u.test(piece);
}

function keyOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0x20 && code !== 0x7f) return NAMED[character] ?? character;
  return NAMED[character] ?? `C-${String.fromCharCode(code + 0x40).toLowerCase()}`;
}
