import { withDefaults } from "../files/json-settings.js";
import type { SeedFile, SeedRequest } from "../files/seed-file.js";
import { trustedFolders } from "./folder-trust.js";

/** Authentication is the user's choice; only trust is seeded, since answering its dialog restarts Gemini CLI. */
export function geminiSeed({ cwd, env, trust }: SeedRequest): readonly SeedFile[] {
  if (!trust) return [];
  return [{ path: trustedFolders(env), merge: (current) => withDefaults(current, { [cwd]: "TRUST_FOLDER" }) }];
}
