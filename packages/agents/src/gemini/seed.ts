import { withDefaults } from "../files/json-settings.js";
import type { SeedFile, SeedRequest } from "../files/seed-file.js";
import { trustedFolders } from "./folder-trust.js";

/** How to authenticate is the user's own choice; only trust is seeded, since answering its dialog makes Gemini CLI start again. */
export function geminiSeed({ cwd, env, trust }: SeedRequest): readonly SeedFile[] {
  if (!trust) return [];
  return [{ path: trustedFolders(env), merge: (current) => withDefaults(current, { [cwd]: "TRUST_FOLDER" }) }];
}
