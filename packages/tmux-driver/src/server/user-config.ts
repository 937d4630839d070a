import { join } from "node:path";
import { keyName } from "@tmpm/core";
import { type EnvironmentSource, readRegularFile } from "@tmpm/processes";

/** The settings that we use of a user's tmux: the keys and the mouse; null for unset ones. */
export interface UserSettings {
  readonly prefix: string | null;
  readonly prefix2: string | null;
  readonly modeKeys: string | null;
  readonly statusKeys: string | null;
  readonly mouse: string | null;
}

export interface UserConfig {
  readonly path: string | null;
  readonly settings: UserSettings;
}

const ACCEPTED: Readonly<Record<string, (value: string) => boolean>> = {
  prefix: (key) => keyName(key) !== null,
  prefix2: (key) => keyName(key) !== null,
  "mode-keys": (value) => value === "vi" || value === "emacs",
  "status-keys": (value) => value === "vi" || value === "emacs",
  mouse: (value) => value === "on" || value === "off",
};

const SET =
  /^\s*(?:set|set-option|setw|set-window-option)\s+(?:-[a-z]*g[a-z]*\s+)([a-z0-9-]+)\s+(?:"([^"]*)"|'([^']*)'|([^\s;#]+))\s*(?:#.*)?$/;

/** The user's configuration file, if any, read as text: nothing in it runs. */
export async function readUserConfig(env: EnvironmentSource): Promise<UserConfig> {
  for (const path of candidates(env)) {
    const text = await readOrNull(path);
    if (text !== null) return { path, settings: parseUserConfig(text) };
  }
  return { path: null, settings: parseUserConfig("") };
}

/** The last setting of each option wins, as in tmux. */
export function parseUserConfig(text: string): UserSettings {
  const found = new Map<string, string>();
  for (const line of text.split("\n")) {
    const match = SET.exec(line);
    if (match === null) continue;
    const [, name = "", double, single, bare] = match;
    const value = double ?? single ?? bare ?? "";
    if (ACCEPTED[name]?.(value) === true) found.set(name, value);
  }
  return {
    prefix: found.get("prefix") ?? null,
    prefix2: found.get("prefix2") ?? null,
    modeKeys: found.get("mode-keys") ?? null,
    statusKeys: found.get("status-keys") ?? null,
    mouse: found.get("mouse") ?? null,
  };
}

function candidates(env: EnvironmentSource): string[] {
  const home = env.HOME;
  if (home === undefined) return [];
  return [join(home, ".tmux.conf"), join(env.XDG_CONFIG_HOME || join(home, ".config"), "tmux", "tmux.conf")];
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readRegularFile(path);
  } catch {
    // If the user's keys cannot be read, tmux's defaults apply.
    return null;
  }
}
