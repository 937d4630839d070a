import { homedir } from "node:os";
import { join } from "node:path";
import { withDefaults } from "../files/json-settings.js";
import type { SeedFile, SeedRequest } from "../files/seed-file.js";

/** Claude asks for a theme on its first start and for trust in every new folder, by the path that it sees. */
export function claudeSeed({ cwd, env, trust }: SeedRequest): readonly SeedFile[] {
  const path = join(env.CLAUDE_CONFIG_DIR ?? env.HOME ?? homedir(), ".claude.json");
  const projects = trust ? { projects: { [cwd]: { hasTrustDialogAccepted: true } } } : {};
  return [{ path, merge: (current) => withDefaults(current, { hasCompletedOnboarding: true, theme: "dark", ...projects }) }];
}
