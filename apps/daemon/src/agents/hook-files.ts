import { randomBytes } from "node:crypto";
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { currentUid, makePrivateDir, readOwnFile } from "@tmpm/api/local";
import { hasCode, temporaryName } from "@tmpm/core";
import type { HookPort } from "@tmpm/supervisor";

export interface HookFilesOptions {
  /** An absolute folder owned by this home. */
  readonly dir: string;
  /** The program and arguments that report an event, as this installation would run them. */
  readonly program: readonly string[];
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

const TOKEN_FILE = "token.sha256";
const REPORT_FILE = "report";
const TOOLS_FILE = "tools";

/**
 * The hook files: a private folder per session, and one program for all, rewritten by every daemon at startup. Agents launched by an
 * older version call it by the same path, and so reach the installed version.
 */
export async function hookFiles({ dir, program, report }: HookFilesOptions): Promise<HookPort> {
  const script = join(dir, REPORT_FILE);
  // Without the hook files agents cannot report, and only their screens are read.
  await prepare(script, reportScript(program)).catch((error: unknown) => report({ doing: `writing ${script}`, error }));
  const tools = join(dir, TOOLS_FILE);
  await prepare(tools, toolsScript(program)).catch((error: unknown) => report({ doing: `writing ${tools}`, error }));
  const folder = (sessionId: string) => join(dir, sessionId);
  return {
    command: ["/bin/sh", script],
    tools: ["/bin/sh", tools],
    newToken: () => randomBytes(32).toString("base64url"),
    folder,
    async write(sessionId, { files, token_sha256 }) {
      await mkdir(folder(sessionId), { recursive: true, mode: 0o700 });
      await chmod(folder(sessionId), 0o700);
      for (const { path, text } of files) await replace(path, text);
      await replace(join(folder(sessionId), TOKEN_FILE), token_sha256);
    },
    async tokenDigest(sessionId) {
      try {
        return readOwnFile(join(folder(sessionId), TOKEN_FILE));
      } catch (error) {
        if (!hasCode(error, "UNSAFE_PATH")) throw error;
        report({ doing: `reading the token of session ${sessionId}`, error });
        return null;
      }
    },
    async remove(sessionId) {
      await rm(folder(sessionId), { recursive: true, force: true });
    },
  };
}

async function prepare(path: string, text: string): Promise<void> {
  makePrivateDir(dirname(path), currentUid());
  await replace(path, text);
}

/** Never gives an agent output or a failure. */
function reportScript(program: readonly string[]): string {
  return `# Written by tmpm at every start of its daemon.\n${wordsOf(program)} hook >/dev/null 2>&1\nexit 0\n`;
}

/** The MCP server for a session with a grant. */
function toolsScript(program: readonly string[]): string {
  return `# Written by tmpm at every start of its daemon.\nexec ${wordsOf(program)} mcp\n`;
}

function wordsOf(program: readonly string[]): string {
  return program.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

/** Written atomically: readers see the old text or the new one. */
async function replace(path: string, text: string): Promise<void> {
  const name = temporaryName(basename(path), { pid: process.pid, token: randomBytes(8).toString("hex") });
  const temporary = join(dirname(path), name);
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
