import { readFile, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { at, isObject, jsonIn } from "../files/json-path.js";
import { isMissing } from "../files/line-reader.js";

type Environment = Readonly<Record<string, string | undefined>>;

export function geminiHome(env: Environment): string {
  return join(env.GEMINI_CLI_HOME ?? env.HOME ?? homedir(), ".gemini");
}

export function trustedFolders(env: Environment): string {
  return env.GEMINI_CLI_TRUSTED_FOLDERS_PATH ?? join(geminiHome(env), "trustedFolders.json");
}

/**
 * Whether Gemini CLI 0.61 asks for trust in a folder first: neither it nor a parent folder has an answer, and its user has not disabled the
 * question.
 */
export async function asksForTrust({ cwd, env }: { readonly cwd: string; readonly env: Environment }): Promise<boolean> {
  const settings = await documentAt(join(geminiHome(env), "settings.json"));
  if (at(settings, "security", "folderTrust", "enabled") === false) return false;
  const known = await documentAt(trustedFolders(env));
  const real = await realpath(cwd).catch(() => cwd);
  const rules = isObject(known) ? Object.entries(known) : [];
  return !rules.some(([folder, rule]) => covers(rule, { folder, cwd }) || covers(rule, { folder, cwd: real }));
}

function covers(rule: unknown, { folder, cwd }: { readonly folder: string; readonly cwd: string }): boolean {
  switch (rule) {
    case "TRUST_FOLDER":
      return isWithin(folder, cwd);
    case "TRUST_PARENT":
      return isWithin(dirname(folder), cwd);
    case "DO_NOT_TRUST":
      return folder === cwd;
    default:
      return false;
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !way.startsWith("/"));
}

/** Null for a missing document, or one that is not JSON; Gemini itself accepts neither. */
async function documentAt(path: string): Promise<unknown> {
  try {
    return jsonIn(await readFile(path, "utf8"));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
