import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The versions that tmpm was last verified with, and the adapters to the Agent Client Protocol for agents without it. */
const VERIFIED: Readonly<Record<string, string>> = {
  "@anthropic-ai/claude-code": "2.1.332",
  "@openai/codex": "0.171.0",
  "@google/gemini-cli": "0.61.0",
  "opencode-ai": "1.18.33",
  // The newest that runs on Node 20.
  "@agentclientprotocol/claude-agent-acp": "0.49.0",
  "@agentclientprotocol/codex-acp": "2.6.0",
};

/** The requested versions: `newest` (the default), `verified`, or a tag of npm, whose first installed version is kept. */
const { TMPM_AGENT_VERSIONS = "newest", TMPM_AGENTS_CACHE = join(homedir(), ".cache", "tmpm-test-agents", TMPM_AGENT_VERSIONS) } =
  process.env;

const INSTALL_MS = 900_000;
const ASK_MS = 60_000;

/** The folder of the agents' programs, installed from npm into a cache outside the repository. @throws when npm cannot install them */
export async function agentPrograms(): Promise<string> {
  const wanted = await Promise.all(Object.keys(VERIFIED).map(async (name) => `${name}@${await versionOf(name)}`));
  const stamp = join(TMPM_AGENTS_CACHE, ".installed");
  if ((await textOf(stamp)) !== wanted.join("\n")) {
    await mkdir(TMPM_AGENTS_CACHE, { recursive: true });
    await writeFile(join(TMPM_AGENTS_CACHE, "package.json"), '{"private":true}');
    await run("npm", ["install", "--no-audit", "--no-fund", ...wanted], { cwd: TMPM_AGENTS_CACHE, timeout: INSTALL_MS });
    await writeFile(stamp, wanted.join("\n"));
  }
  return join(TMPM_AGENTS_CACHE, "node_modules", ".bin");
}

/**
 * OpenCode's configuration folder with the package that it installs at its first start for a user without showing it. @throws when npm
 * cannot install it
 */
export async function opencodeFolder(): Promise<string> {
  const folder = join(TMPM_AGENTS_CACHE, "opencode-folder");
  const wanted = `@opencode-ai/plugin@${await versionOf("opencode-ai")}`;
  const stamp = join(TMPM_AGENTS_CACHE, ".opencode-folder");
  if ((await textOf(stamp)) === wanted) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), "{}");
  await run("npm", ["install", "--no-audit", "--no-fund", "--save-exact", wanted], { cwd: folder, timeout: INSTALL_MS });
  await writeFile(stamp, wanted);
  return folder;
}

async function versionOf(name: string): Promise<string> {
  if (TMPM_AGENT_VERSIONS === "verified") return VERIFIED[name] ?? "latest";
  if (TMPM_AGENT_VERSIONS !== "newest") return TMPM_AGENT_VERSIONS;
  const { stdout } = await run("npm", ["view", name, "version"], { timeout: ASK_MS });
  return stdout.trim();
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
