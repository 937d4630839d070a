import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { LaunchRequest } from "../adapter.js";
import { isMissing } from "../files/line-reader.js";

type Environment = Pick<LaunchRequest, "env">;

/** Whether Claude has a record of a conversation. */
export async function hasConversation(id: string, environment: Environment): Promise<boolean> {
  return (await findConversation(id, environment)) !== null;
}

/**
 * The file of a conversation: `projects/<folder>/<id>.jsonl` under Claude's configuration folder (trusty-mpm 3.4); null when there is none.
 */
export async function findConversation(id: string, { env }: Environment): Promise<string | null> {
  const projects = join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), ".claude"), "projects");
  const paths = (await folders(projects)).map((folder) => join(projects, folder, `${id}.jsonl`));
  const found = await Promise.all(paths.map(isFile));
  return paths.find((_, index) => found[index]) ?? null;
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
