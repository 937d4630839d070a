import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The versions that the screens were recorded from, and of what speaks the Agent Client Protocol for those that do not. `TMPM_AGENT_VERSIONS=latest` takes the newest ones. */
const VERSIONS: Readonly<Record<string, string>> = {
  "@anthropic-ai/claude-code": "2.1.197",
  "@openai/codex": "0.171.0",
  "@google/gemini-cli": "0.61.0",
  "opencode-ai": "1.18.33",
  // The newest that runs on Node 20.
  "@agentclientprotocol/claude-agent-acp": "0.49.0",
  "@agentclientprotocol/codex-acp": "2.6.0",
};

const INSTALL_MS = 900_000;

/** The folder of the agents' programs, installed from npm into a cache outside the repository. */
export async function agentPrograms(): Promise<string> {
  const { TMPM_AGENTS_CACHE = join(homedir(), ".cache", "tmpm-test-agents"), TMPM_AGENT_VERSIONS } = process.env;
  const wanted = Object.entries(VERSIONS).map(([name, version]) => `${name}@${TMPM_AGENT_VERSIONS ?? version}`);
  const stamp = join(TMPM_AGENTS_CACHE, ".installed");
  if ((await textOf(stamp)) !== wanted.join("\n")) {
    await mkdir(TMPM_AGENTS_CACHE, { recursive: true });
    await writeFile(join(TMPM_AGENTS_CACHE, "package.json"), '{"private":true}');
    await run("npm", ["install", "--no-audit", "--no-fund", ...wanted], { cwd: TMPM_AGENTS_CACHE, timeout: INSTALL_MS });
    await writeFile(stamp, wanted.join("\n"));
  }
  return join(TMPM_AGENTS_CACHE, "node_modules", ".bin");
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
