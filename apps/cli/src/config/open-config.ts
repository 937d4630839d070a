import { homedir } from "node:os";
import { configPath, readConfigFile } from "@tmpm/api/local";
import type { Mistake, Profiles, ReadConfig, Resolved, SettingKey } from "../config-library.js";

type Env = Readonly<Record<string, string | undefined>>;

/** The configuration as it holds for this caller. */
export interface OpenConfig {
  readonly path: string;
  /** The file's text; null when there is none. */
  readonly text: string | null;
  readonly settings: readonly SettingAnswer[];
  readonly profiles: Profiles;
  readonly mistakes: readonly Mistake[];
}

/** One setting, as `--json` prints it: a secret's value is never more than that it is set. */
export interface SettingAnswer extends Pick<Resolved, "source"> {
  readonly key: SettingKey;
  readonly value: unknown;
  /** For people. */
  readonly shown: string;
  readonly variable: string;
  readonly option: string | null;
  readonly usual: unknown;
  readonly counts: string;
  readonly summary: string;
}

/** @throws UNSAFE_PATH, CONFIG_INVALID when the file cannot be read at all */
export async function openConfig(env: Env): Promise<OpenConfig> {
  const { readConfig, resolveSettings } = await import("../config-library.js");
  const path = configPath(env, homedir);
  const text = readConfigFile(path);
  const read: ReadConfig = readConfig(text ?? "");
  const { all, mistakes } = resolveSettings({ env, file: read.values });
  const settings = await Promise.all(all.map(settingAnswer));
  return { path, text, settings, profiles: read.profiles, mistakes: [...read.mistakes, ...mistakes] };
}

async function settingAnswer({ key, value, source }: Resolved): Promise<SettingAnswer> {
  const { settingOf, shownValue } = await import("../config-library.js");
  const { env, flag = null, fallback, usual, counts, summary, secrecy } = settingOf(key);
  const shown = shownValue({ key, value });
  return {
    key,
    value: secrecy === undefined || value === null ? value : shown,
    source,
    shown,
    variable: env,
    option: flag,
    usual: fallback ?? usual ?? null,
    counts,
    summary,
  };
}
