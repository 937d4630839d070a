import { isAbsolute, join, resolve } from "node:path";
import { userHome as systemHome } from "./user-home.js";

/** The configuration file: `TMPM_CONFIG`, else `tmpm/config.yaml` in the configuration folder (XDG Base Directory 0.8, where relative paths are ignored). */
export function configPath(env: Readonly<Record<string, string | undefined>>, userHome: () => string = systemHome): string {
  const chosen = env.TMPM_CONFIG ?? "";
  if (chosen !== "") return resolve(chosen);
  const folder = absolute(env.XDG_CONFIG_HOME) ?? join(absolute(env.HOME) ?? userHome(), ".config");
  return join(folder, "tmpm", "config.yaml");
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}
