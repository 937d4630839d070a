import { homedir } from "node:os";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import type { SeedFile, SeedRequest } from "../files/seed-file.js";

/** Codex asks for trust in every new folder. */
export function codexSeed({ cwd, env, trust }: SeedRequest): readonly SeedFile[] {
  if (!trust) return [];
  const path = join(env.CODEX_HOME ?? join(env.HOME ?? homedir(), ".codex"), "config.toml");
  return [{ path, merge: (current) => withProject(current ?? "", cwd) }];
}

/** A separate table at the end changes nothing above it, unless the same table is written in another form. */
function withProject(text: string, cwd: string): string | null {
  // A JSON string is a TOML basic string, except for DEL (TOML 1.0).
  const key = JSON.stringify(cwd).replaceAll("\u007f", "\\u007F");
  const lines = text.split("\n").map((line) => line.trim());
  if (lines.some((line) => line.startsWith(`[projects.${key}`) || line.startsWith(`[projects.'${cwd}'`))) return null;
  if (lines.some((line) => /^projects\s*[.=]/u.test(line))) {
    throw new TmpmError("INVALID_ARGUMENT", "the projects of Codex's configuration are not written as tables", {
      hint: "Add the folder by hand; the file is left unchanged.",
    });
  }
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${gap}${text === "" ? "" : "\n"}[projects.${key}]\ntrust_level = "trusted"\n`;
}
