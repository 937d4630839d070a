import { configPath, readConfigFile } from "@tmpm/api/local";

type Env = Readonly<Record<string, string | undefined>>;

/** The environment completed from the configuration file, for the settings every command needs. A fault in the file is thrown on access. */
export async function settledEnv(env: Env): Promise<() => Env> {
  try {
    const path = configPath(env);
    const text = readConfigFile(path);
    if (text === null || !saysWhere(text)) return () => env;
    const { clientEnv } = await import("../config-library.js");
    const settled = clientEnv(env, { path, text });
    return () => settled;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Whether the file may affect how the daemon is reached: reading YAML takes longer than the rest of a start. */
function saysWhere(text: string): boolean {
  return /\\|\b(home|socket|client|daemon)\b/.test(text.replace(/^\s*#.*$/gm, ""));
}
