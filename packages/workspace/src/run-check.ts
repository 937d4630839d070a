import type { Workspace } from "@tmpm/core";
import { lastLinesOf, runLine } from "./setup/run-line.js";

export interface CheckOptions {
  /** For `/bin/sh`, at the top of the workspace. */
  readonly line: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The result of a command; `failure` is null when it ended with status 0. */
export interface CheckRun {
  readonly failure: string | null;
  readonly lastLines: readonly string[];
}

const CHECK_MS = 20 * 60_000;
const LAST_LINES = 10;

/** Runs a command in a workspace, for at most twenty minutes, and ends all its processes. */
export async function runCheck({ path, source }: Workspace, { line, env }: CheckOptions): Promise<CheckRun> {
  const { failure, output } = await runLine(line, { directory: path, env: { ...env, TMPM_SOURCE: source }, timeoutMs: CHECK_MS });
  return { failure, lastLines: lastLinesOf(output, LAST_LINES) };
}
