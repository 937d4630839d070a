import { configPath, readConfigFile } from "@tmpm/api/local";
import type { Profile } from "../config-library.js";
import { usageError } from "../parse/usage-error.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Defaults of a new session, and the environment completed from the file. */
export interface NewDefaults {
  readonly profile: Profile;
  readonly env: Env;
}

/** Null for no profile, undefined for the default one. @throws INVALID_ARGUMENT for an unknown profile, CONFIG_INVALID, UNSAFE_PATH */
export async function newDefaults(env: Env, named: string | undefined | null): Promise<NewDefaults> {
  const path = configPath(env);
  const text = readConfigFile(path);
  if (text === null && (named === null || (named === undefined && !env.TMPM_PROFILE))) return { profile: {}, env };
  const { configInvalid, didYouMean, readConfig, resolveSettings, withFile } = await import("../config-library.js");
  const file = readConfig(text ?? "");
  const wrong = file.mistakes.filter(({ key }) => key === null || /^(new|profiles|sessions|workspaces)(\.|$)/.test(key));
  if (wrong.length > 0) throw configInvalid(path, wrong);
  const settled = withFile(env, file.values);
  const name = named === undefined ? resolveSettings({ env, file: file.values }).values["new.profile"] : named;
  if (name === null) return { profile: {}, env: settled };
  const profile = Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined;
  if (profile !== undefined) return { profile, env: withNames(settled, profile.env ?? []) };
  const near = didYouMean(name, Object.keys(file.profiles));
  throw usageError(
    `the profile ${JSON.stringify(name)} does not exist`,
    near === null ? `Create it with \`tmpm config set profiles.${name}.agent claude\`.` : `Did you mean ${near}?`,
  );
}

/** The names are merged with those that every session inherits. */
function withNames(env: Env, names: readonly string[]): Env {
  return { ...env, TMPM_PASS_ENV: [env.TMPM_PASS_ENV ?? "", ...names].filter((name) => name !== "").join(",") };
}
