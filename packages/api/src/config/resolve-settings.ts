import type { Mistake } from "./mistake.js";
import { SETTING_KEYS, type SettingKey, type SettingValues, settingOf } from "./settings.js";

export type Source = "default" | "file" | "environment" | "flag";

/** The value of one setting, with its source. */
export interface Resolved {
  readonly key: SettingKey;
  readonly value: unknown;
  readonly source: Source;
}

export interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: ReadonlyMap<SettingKey, unknown>;
  /** The settings whose variables represent an option of the command line. */
  readonly flags?: ReadonlySet<string>;
}

export interface ResolvedSettings {
  readonly all: readonly Resolved[];
  readonly values: SettingValues;
  /** Invalid variables of the environment. Each is treated as unset. */
  readonly mistakes: readonly Mistake[];
}

/** Precedence, highest first: options, the environment, the file, the defaults. */
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

/** Null if the variable does not set a value. */
function fromEnv(key: SettingKey, text: string | undefined): { readonly value: unknown } | "wrong" | null {
  const { form } = settingOf(key);
  if (text === undefined || (text === "" && form.emptyCounts === undefined)) return null;
  const value = form.parse(text);
  return value === undefined ? "wrong" : { value };
}

/** As text for people; of a secret, only whether it is set. */
export function shownValue({ key, value }: Pick<Resolved, "key" | "value">): string {
  const { form, secrecy, usual } = settingOf(key);
  if (value === null) return usual === undefined ? "-" : `(${usual})`;
  if (secrecy === undefined) return form.print(value);
  return key === "notify.webhook.url" && URL.canParse(String(value)) ? `${new URL(String(value)).origin}/…` : "(set)";
}
