import { homedir } from "node:os";
import { join } from "node:path";
import { withDefaults } from "../json-settings.js";
import type { SeedFile, SeedRequest } from "../seed-file.js";

/** How to authenticate is the user's own choice; only trust is seeded, since answering its dialog makes Gemini CLI start again. */
export function geminiSeed({ cwd, env, trust }: SeedRequest): readonly SeedFile[] {
  if (!trust) return [];
  const path = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH ?? join(env.GEMINI_CLI_HOME ?? env.HOME ?? homedir(), ".gemini", "trustedFolders.json");
  return [{ path, merge: (current) => withDefaults(current, { [cwd]: "TRUST_FOLDER" }) }];
}
