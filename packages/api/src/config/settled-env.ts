import { configInvalid } from "./mistake.js";
import { readConfig } from "./read-config.js";
import { resolveSettings } from "./resolve-settings.js";
import { settingOf } from "./settings.js";

type Env = Readonly<Record<string, string | undefined>>;

/** The environment, completed with the values of the file, so that a setting's variable also covers the file. */
export function withFile(env: Env, file: ReturnType<typeof readConfig>["values"]): Env {
  const { all } = resolveSettings({ env, file });
  const said = all.flatMap(({ key, value, source }) =>
    source === "file" ? [[settingOf(key).env, settingOf(key).form.print(value)] as const] : [],
  );
  return { ...env, ...Object.fromEntries(said) };
}

/** For a client, which needs only these settings. @throws CONFIG_INVALID if the file is not YAML or one of them is invalid */
export function clientEnv(env: Env, { path, text }: { readonly path: string; readonly text: string }): Env {
  const { values, mistakes } = readConfig(text);
  const own = mistakes.filter(({ key }) => key === null || /^(home|socket|client|daemon|tmux)(\.|$)/.test(key));
  if (own.length > 0) throw configInvalid(path, own);
  return withFile(env, values);
}
