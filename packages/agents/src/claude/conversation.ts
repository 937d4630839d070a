import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { LaunchRequest } from "../adapter.js";

/** Whether Claude has kept anything of a conversation: `projects/<folder>/<id>.jsonl` under its configuration folder (trusty-mpm 3.4). */
export async function hasConversation(id: string, { env }: Pick<LaunchRequest, "env">): Promise<boolean> {
  const projects = join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), ".claude"), "projects");
  const found = await Promise.all((await folders(projects)).map((folder) => isFile(join(projects, folder, `${id}.jsonl`))));
  return found.includes(true);
}

async function folders(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
