import {
  configInvalid,
  type Profiles,
  readConfig,
  resolveSettings,
  SETTING_KEYS,
  type SettingKey,
  type SettingValues,
  settingOf,
  withFile,
} from "@tmpm/api/config";
import { configPath, readConfigFile } from "@tmpm/api/local";
import { isTmpmError, TmpmError } from "@tmpm/core";
import { watchFile } from "./watch-file.js";

/** The configuration of a running daemon, which follows the file where safe. */
export interface LiveConfig {
  /** Null when no file is followed. */
  readonly path: string | null;
  /** The environment at startup, including the file's settings. */
  readonly env: NodeJS.ProcessEnv;
  /** The file's settings at startup. */
  readonly fromFile: ReadonlySet<SettingKey>;
  /** The current values of settings that take effect at once. */
  values(): SettingValues;
  /** The file's current profiles for new sessions. */
  profiles(): Profiles;
  /** Why the current file is not in effect; null when it is. */
  fault(): TmpmError | null;
  /** Settings changed in the file that take effect at the next start. */
  waiting(): readonly SettingKey[];
  /** Reports every further change of the file and of its validity. */
  follow(listeners: ConfigListeners): void;
  close(): void;
}

export interface ConfigListeners {
  readonly changed: () => void;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

interface Read {
  readonly env: NodeJS.ProcessEnv;
  readonly fromFile: ReadonlySet<SettingKey>;
  readonly values: SettingValues;
  readonly profiles: Profiles;
}

/** @throws CONFIG_INVALID, UNSAFE_PATH: a daemon without a valid configuration does not start */
export function liveConfig(env: NodeJS.ProcessEnv): LiveConfig {
  const path = configPath(env);
  const start = read(env, path);
  let now = start;
  let fault: TmpmError | null = null;
  let stop: () => void = () => undefined;
  return {
    path,
    env: start.env,
    fromFile: start.fromFile,
    values: () => now.values,
    profiles: () => now.profiles,
    fault: () => fault,
    waiting: () => SETTING_KEYS.filter((key) => settingOf(key).counts === "restart" && !isSame(now.values[key], start.values[key])),
    follow({ changed, report }) {
      const again = () => {
        try {
          const next = read(env, path);
          const isNews = fault !== null || !isSame(next.values, now.values);
          fault = null;
          now = next;
          if (isNews) changed();
        } catch (error) {
          const found = asFault(error, path);
          const isNews = fault?.message !== found.message;
          fault = found;
          if (!isNews) return;
          report({ doing: "following the configuration", error });
          changed();
        }
      };
      stop = watchFile(path, { changed: again, report });
      again();
    },
    close: () => stop(),
  };
}

/** The configuration of an environment alone, without a file. @throws CONFIG_INVALID */
export function fixedConfig(env: NodeJS.ProcessEnv): LiveConfig {
  const { values } = settled(env, { path: "", text: null });
  return {
    path: null,
    env,
    fromFile: new Set(),
    values: () => values,
    profiles: () => ({}),
    fault: () => null,
    waiting: () => [],
    follow: () => undefined,
    close: () => undefined,
  };
}

function read(env: NodeJS.ProcessEnv, path: string): Read {
  return settled(env, { path, text: readConfigFile(path) });
}

function settled(env: NodeJS.ProcessEnv, { path, text }: { readonly path: string; readonly text: string | null }): Read {
  const file = readConfig(text ?? "");
  const { all: resolved, values, mistakes } = resolveSettings({ env, file: file.values });
  const all = [...file.mistakes, ...mistakes];
  if (all.length > 0) throw configInvalid(path, all);
  const fromFile = new Set(resolved.filter(({ source }) => source === "file").map(({ key }) => key));
  return { env: withFile(env, file.values), fromFile, values, profiles: file.profiles };
}

/** A disk failure must not end a running daemon. */
function asFault(error: unknown, path: string): TmpmError {
  if (isTmpmError(error)) return error;
  return new TmpmError("CONFIG_INVALID", `${path} cannot be read`, { details: { path }, cause: error });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
