import type { Mistake } from "./mistake.js";
import { SETTING_KEYS, type SettingKey, type SettingValues, settingOf } from "./settings.js";

export type Source = "default" | "file" | "environment" | "flag";

/** What one setting is, and where that was said. */
export interface Resolved {
  readonly key: SettingKey;
  readonly value: unknown;
  readonly source: Source;
}

export interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: ReadonlyMap<SettingKey, unknown>;
  /** The settings whose variables stand for an option that was given. */
  readonly flags?: ReadonlySet<string>;
}

export interface ResolvedSettings {
  readonly all: readonly Resolved[];
  readonly values: SettingValues;
  /** Of the environment. A variable that cannot be used is as if it were not set. */
  readonly mistakes: readonly Mistake[];
}

/** Options count more than the environment, that more than the file, and that more than what is usual. */
export function resolveSettings({ env, file, flags = new Set() }: Sources): ResolvedSettings {
  const mistakes: Mistake[] = [];
  const all = SETTING_KEYS.map((key): Resolved => {
    const { form, fallback, env: variable } = settingOf(key);
    const given = fromEnv(key, env[variable]);
    if (given === "wrong") mistakes.push({ line: null, column: null, key, message: `${variable} is ${form.what}`, hint: null });
    else if (given !== null) return { key, value: given.value, source: flags.has(key) ? "flag" : "environment" };
    return file.has(key) ? { key, value: file.get(key), source: "file" } : { key, value: fallback, source: "default" };
  });
  const values = Object.fromEntries(all.map(({ key, value }) => [key, value])) as SettingValues;
  return { all, values, mistakes };
}

/** Null when the variable says nothing. */
function fromEnv(key: SettingKey, text: string | undefined): { readonly value: unknown } | "wrong" | null {
  const { form } = settingOf(key);
  if (text === undefined || (text === "" && form.emptyCounts === undefined)) return null;
  const value = form.parse(text);
  return value === undefined ? "wrong" : { value };
}

/** As text for people: never more of a secret than that it is set. */
export function shownValue({ key, value }: Pick<Resolved, "key" | "value">): string {
  const { form, secrecy, usual } = settingOf(key);
  if (value === null) return usual === undefined ? "-" : `(${usual})`;
  if (secrecy === undefined) return form.print(value);
  return key === "notify.webhook.url" && URL.canParse(String(value)) ? `${new URL(String(value)).origin}/…` : "(set)";
}
