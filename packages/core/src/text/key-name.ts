import { TmpmError } from "../errors.js";

const MODIFIED = /^((?:[CMS]-){0,3})(.+)$/su;
/** Keys whose sequences encode every modifier. */
const SEQUENCES = namesOf(
  "Up Down Left Right Home End IC Insert DC Delete NPage PageDown PgDn PPage PageUp PgUp",
  Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
);
/** Keys that send a character, with Meta as the only modifier that a terminal distinguishes. */
const CHARACTERS = namesOf(
  "Enter Escape Tab BTab BSpace Space KP/ KP* KP- KP+ KP. KPEnter",
  Array.from({ length: 10 }, (_, index) => `KP${index}`),
);

/**
 * The canonical name of a key, with the same effect in every terminal; null for an unknown key, and for one with a modifier without a
 * sequence (`C-Enter`), whose name tmux would type. Names are tmux's, and case-insensitive for letters. `S-Tab` is `BTab`.
 */
export function keyName(key: string): string | null {
  const [, written = "", base = ""] = MODIFIED.exec(key) ?? [];
  const has = (modifier: string) => written.includes(`${modifier}-`);
  const named = base.toLowerCase();
  const name = ["C", "M", "S"].map((modifier) => (has(modifier) ? `${modifier}-` : "")).join("") + base;
  if (SEQUENCES.has(named)) return name;
  if (named === "tab" && has("S") && !has("C")) return has("M") ? "M-BTab" : "BTab";
  if (has("S")) return null;
  if (named === "space") return name;
  if (CHARACTERS.has(named)) return has("C") ? null : name;
  if (written === "") return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(base) ? name : null;
  if (!has("C")) return /^[!-~]$/.test(base) ? name : null;
  return (has("M") ? /^[?-_a-z]$/ : /^[-/26?-_a-z]$/).test(base) ? name : null;
}

/** The canonical names of keys. @throws INVALID_ARGUMENT for an unknown key */
export function keyNames(keys: readonly string[]): readonly string[] {
  if (keys.length === 0) throw new TmpmError("INVALID_ARGUMENT", "no key was given", { details: { field: "keys" } });
  return keys.map((key) => {
    const name = keyName(key);
    if (name !== null) return name;
    throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(key)} is not a key that terminals have a sequence for`, {
      hint: "Use tmux's names, such as Enter, Escape, C-c, S-Tab, Up, F1 or a single character.",
      details: { field: "keys", key },
    });
  });
}

function namesOf(names: string, numbers: Iterable<string>): ReadonlySet<string> {
  return new Set([...names.split(" "), ...numbers].map((name) => name.toLowerCase()));
}
