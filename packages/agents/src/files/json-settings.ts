import { hasCode, TmpmError } from "@tmpm/core";

type Json = Readonly<Record<string, unknown>>;

/** A settings file with missing values added; null when none is missing. @throws INVALID_ARGUMENT unless the file holds a JSON object */
export function withDefaults(current: string | null, defaults: Json): string | null {
  const settings = current === null || current.trim() === "" ? {} : parsed(current);
  const next = merged(settings, defaults);
  return JSON.stringify(next) === JSON.stringify(settings) ? null : `${JSON.stringify(next, null, 2)}\n`;
}

/** A settings file with these values restored, whatever else changed since; null when they are unchanged, or cannot be determined. */
export function withSettingsBack(
  keys: readonly string[],
  { before, now }: { readonly before: string | null; readonly now: string | null },
): string | null {
  const [was, is] = [settingsOrNull(before), settingsOrNull(now)];
  if (was === null || is === null || keys.every((key) => JSON.stringify(was[key]) === JSON.stringify(is[key]))) return null;
  const others = Object.entries(is).filter(([key]) => !keys.includes(key));
  const own = Object.entries(was).filter(([key]) => keys.includes(key));
  return `${JSON.stringify(Object.fromEntries([...others, ...own]), null, 2)}\n`;
}

function settingsOrNull(text: string | null): Json | null {
  try {
    return text === null || text.trim() === "" ? {} : parsed(text);
  } catch (error) {
    if (hasCode(error, "INVALID_ARGUMENT")) return null;
    throw error;
  }
}

function merged(settings: Json, defaults: Json): Json {
  const next: Record<string, unknown> = { ...settings };
  for (const [key, value] of Object.entries(defaults)) {
    const present = Object.hasOwn(settings, key) ? settings[key] : undefined;
    if (present === undefined) next[key] = value;
    else if (isObject(present) && isObject(value)) next[key] = merged(present, value);
  }
  return next;
}

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new TmpmError("INVALID_ARGUMENT", "the settings file is not a JSON object", { hint: "Correct it by hand; it is left unchanged." });
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
