import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The versions that the descriptions were verified with, and a Node that Qwen Code runs on. */
const PACKAGES = [
  "@github/copilot@1.0.102",
  "@qwen-code/qwen-code@0.24.4",
  "@mariozechner/pi-coding-agent@0.73.1",
  "@continuedev/cli@1.5.47",
  "node@22",
];

const INSTALL_MS = 900_000;

/**
 * The first folder on the `PATH` for the described agents: `TMPM_DESCRIBED_AGENTS`, or a cache outside the repository that is filled from
 * npm.
 */
export async function describedPrograms(): Promise<string> {
  const { TMPM_DESCRIBED_AGENTS } = process.env;
  if (TMPM_DESCRIBED_AGENTS !== undefined) return TMPM_DESCRIBED_AGENTS;
  const cache = join(homedir(), ".cache", "tmpm-test-described-agents");
  const stamp = join(cache, ".installed");
  const installed = await readFile(stamp, "utf8").catch(() => null);
  if (installed !== PACKAGES.join("\n")) {
    await mkdir(cache, { recursive: true });
    await writeFile(join(cache, "package.json"), '{"private":true}');
    await run("npm", ["install", "--no-audit", "--no-fund", ...PACKAGES], { cwd: cache, timeout: INSTALL_MS });
    await writeFile(stamp, PACKAGES.join("\n"));
  }
  return [join(cache, "node_modules", ".bin")].join(delimiter);
}
