import { configPath, readConfigFile } from "@tmpm/api/local";

type Env = Readonly<Record<string, string | undefined>>;

/** The environment with what the configuration file says put in, for the settings that every command depends on. A fault in the file is thrown when it is asked for. */
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

/** Whether it may say where the daemon is: reading YAML costs more than all the rest of a start. */
function saysWhere(text: string): boolean {
  return /\\|\b(home|socket|client)\b/.test(text.replace(/^\s*#.*$/gm, ""));
}
