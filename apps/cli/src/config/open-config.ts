import { configPath, currentLocation, readConfigFile } from "@tmpm/api/local";
import { hasCode } from "@tmpm/core";
import type { Mistake, Profiles, ReadConfig, Resolved, SettingKey } from "../config-library.js";
import { keptListening } from "../daemon/kept-listening.js";
import { type ListenRequest, listenEnv } from "../daemon/listen-request.js";

type Env = Readonly<Record<string, string | undefined>>;

/** The configuration in effect for this caller. */
export interface OpenConfig {
  readonly path: string;
  /** The file's text; null when there is none. */
  readonly text: string | null;
  readonly settings: readonly SettingAnswer[];
  readonly profiles: Profiles;
  readonly mistakes: readonly Mistake[];
}

/** One setting, as `--json` prints it: a secret is only reported as set. */
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
  const { readConfig, resolveSettings, withFile } = await import("../config-library.js");
  const path = configPath(env);
  const text = readConfigFile(path);
  const read: ReadConfig = readConfig(text ?? "");
  const { all, mistakes } = resolveSettings({ file: read.values, ...withKept(env, withFile(env, read.values)) });
  const settings = await Promise.all(all.map(settingAnswer));
  return { path, text, settings, profiles: read.profiles, mistakes: [...read.mistakes, ...mistakes] };
}

/** The last listen option given to the daemon stays in effect until another replaces it. */
function withKept(env: Env, settled: Env): { readonly env: Env; readonly flags: ReadonlySet<string> } {
  const kept = env.TMPM_LISTEN === undefined ? keptAt(settled) : {};
  const flags = new Set(Object.keys(kept).map((name) => KEPT[name as keyof typeof KEPT]));
  return { env: listenEnv(env, kept), flags };
}

/** Empty if there cannot be a daemon, which is not a configuration error. */
function keptAt(settled: Env): ListenRequest {
  try {
    return keptListening(currentLocation(settled));
  } catch (error) {
    if (hasCode(error, "SOCKET_PATH_TOO_LONG")) return {};
    throw error;
  }
}

const KEPT = { listen: "listen.address", tlsCert: "listen.tls_cert", tlsKey: "listen.tls_key" } as const;

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
