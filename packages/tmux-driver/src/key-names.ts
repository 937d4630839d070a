import { TmpmError } from "@tmpm/core";

const NAMED = new Set(
  [
    ..."Enter Escape Tab BTab Space BSpace Up Down Left Right Home End".split(" "),
    ..."IC Insert DC Delete NPage PageDown PgDn PPage PageUp PgUp".split(" "),
    ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
    ...Array.from({ length: 10 }, (_, index) => `KP${index}`),
    ..."KP/ KP* KP- KP+ KP. KPEnter".split(" "),
  ].map((name) => name.toLowerCase()),
);

const MODIFIED = /^((?:[CMS]-){0,3})(.+)$/su;

/** tmux types a name that it does not know letter by letter, so only known ones may pass. @throws INVALID_ARGUMENT */
export function requireKeys(keys: readonly string[]): void {
  if (keys.length === 0) throw new TmpmError("INVALID_ARGUMENT", "no key was named", { details: { field: "keys" } });
  const unknown = keys.find((key) => !isKey(key));
  if (unknown === undefined) return;
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(unknown)} is no key`, {
    hint: "Use tmux's names, such as Enter, Escape, C-c, Up, F1 or a single character.",
    details: { field: "keys", key: unknown },
  });
}

export function isKey(key: string): boolean {
  const match = MODIFIED.exec(key);
  if (match === null) return false;
  const [, modifiers = "", base = ""] = match;
  if (NAMED.has(base.toLowerCase())) return true;
  if (modifiers === "") return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(base);
  return !modifiers.includes("S-") && /^[!-~]$/.test(base);
}
