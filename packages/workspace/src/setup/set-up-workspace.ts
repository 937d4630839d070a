import { join } from "node:path";
import type { ProjectSetup, Workspace } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { diskFailure } from "../files/disk-failure.js";
import { writePrivate } from "../files/private-file.js";
import { placeFiles } from "./place-files.js";
import { type SetupFound, setupIn } from "./project-file.js";
import { lastLinesOf, runLine } from "./run-line.js";

export interface SetUpOptions {
  readonly setup: ProjectSetup;
  /** The environment of the commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Existing files stay, because this is a repeated setup. */
  readonly again?: boolean;
  /** Called and awaited before each step. */
  readonly onStep: (doing: string) => Promise<void>;
}

/** The result of a setup. After a failure the workspace is left as it is. */
export type SetUp =
  | { readonly kind: "done" /** Files to copy or link that the source does not have. */; readonly missing: readonly string[] }
  | { readonly kind: "failed"; readonly doing: string; readonly reason: string; readonly lastLines: readonly string[] };

/** In the workspace's git folder: the last 64 KiB of each command's output. */
const LOG = "tmpm-setup.log";
const LAST_LINES = 40;

/** The project file of the workspace, or of its source directory, where git may not track it. */
export async function setupOf({ path, source }: Workspace): Promise<SetupFound> {
  const own = await setupIn(path);
  return own.kind === "none" && source.startsWith("/") ? setupIn(source) : own;
}

/** Sets up a fresh workspace: places its files, then runs the commands in order. The caller is responsible for the user's consent. */
export async function setUpWorkspace(ctx: WorkspaceContext, workspace: Workspace, options: SetUpOptions): Promise<SetUp> {
  const { path, source } = workspace;
  const { setup, onStep } = options;
  const directory = source.startsWith("/") ? source : null;
  if (setup.copy.length + setup.link.length > 0) await onStep("copying files");
  const placed = await placeFiles({ workspace: path, source: directory, env: ctx.env }, setup, { again: options.again ?? false });
  if (placed.failure !== null) return { kind: "failed", doing: "copying files", reason: placed.failure, lastLines: [] };
  const ran = await runLines(ctx, workspace, { ...options, lines: setup.run, log: LOG });
  return ran ?? { kind: "done", missing: placed.missing };
}

interface Lines extends SetUpOptions {
  readonly lines: readonly string[];
  /** Name of the file in the workspace's git folder. */
  readonly log: string;
}

/** Runs the clean-up commands of a project file in order, up to the first failure. Null on success. */
export function tearDownWorkspace(ctx: WorkspaceContext, workspace: Workspace, options: SetUpOptions) {
  return runLines(ctx, workspace, { ...options, lines: options.setup.teardown, log: "tmpm-teardown.log" });
}

/** Null on success. @throws STORAGE_FULL, STORE_READ_ONLY, UNSAFE_PATH when all commands succeeded and their log cannot be written */
async function runLines(ctx: WorkspaceContext, workspace: Workspace, options: Lines): Promise<Failed | null> {
  const log: string[] = [];
  const write = () => writeLog(workspace, { name: options.log, log });
  let failed: Failed | null;
  try {
    failed = await runEach(ctx, workspace, { ...options, onRan: (output) => void log.push(output) });
  } catch (error) {
    await write().catch(() => undefined);
    throw error;
  }
  // A failure is reported with its last lines, whether or not they could be written.
  if (failed === null) await write();
  else await write().catch(() => undefined);
  return failed;
}

type Failed = Extract<SetUp, { kind: "failed" }>;

async function runEach(
  ctx: WorkspaceContext,
  { path, source }: Workspace,
  options: Lines & { readonly onRan: (output: string) => void },
): Promise<Failed | null> {
  const { setup, env, onStep, onRan } = options;
  const end = ctx.now() + ctx.setupMs;
  for (const line of options.lines) {
    await onStep(line);
    const timeoutMs = Math.max(0, Math.min(setup.timeout * 1000, end - ctx.now()));
    const { failure, output } = await runLine(line, { directory: path, env: { ...env, TMPM_SOURCE: source }, timeoutMs });
    onRan(`$ ${line}\n${output}${failure === null ? "" : `\n(${failure})`}\n`);
    if (failure !== null) return { kind: "failed", doing: line, reason: failure, lastLines: lastLinesOf(output, LAST_LINES) };
  }
  return null;
}

async function writeLog({ identity }: Workspace, { name, log }: { readonly name: string; readonly log: readonly string[] }): Promise<void> {
  if (identity === null || log.length === 0) return;
  const path = join(identity.git_dir, name);
  try {
    await writePrivate(path, log.join("\n"));
  } catch (error) {
    throw diskFailure(error, { path, effect: "unknown" });
  }
}
