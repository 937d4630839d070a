import type { LaunchPlan } from "@tmpm/agents";
import { type SessionRecord, TmpmError } from "@tmpm/core";
import type { PaneInfo } from "@tmpm/tmux-driver";
import type { Context } from "./context.js";
import { describeExit } from "./observations.js";

/** Opens the terminal of a session and starts its program in it; the pane carries the session id from its first moment. */
export function openTerminal(ctx: Context, launch: { readonly record: SessionRecord; readonly plan: LaunchPlan }): Promise<PaneInfo> {
  const { record, plan } = launch;
  const searchPath = record.agent_config.search_path;
  return ctx.driver.create({
    sessionId: record.id,
    tmuxName: record.tmux_name,
    cwd: workingDirectory(record),
    argv: plan.argv,
    env: {
      ...ctx.settings.sessionEnv,
      ...(searchPath === undefined ? {} : { PATH: searchPath }),
      ...plan.env,
      TMPM_SESSION_ID: record.id,
      TMPM_SESSION_NAME: record.name,
    },
    columns: ctx.settings.columns,
    rows: ctx.settings.rows,
  });
}

export function workingDirectory(record: SessionRecord): string {
  return record.workspace_path ?? record.cwd;
}

/** @throws DIRECTORY_NOT_FOUND */
export async function requireDirectory(ctx: Context, path: string): Promise<void> {
  const facts = await ctx.describeDirectory(path);
  if (facts.kind === "directory") return;
  const why = { missing: "does not exist", not_directory: "is not a directory", unreadable: "cannot be opened" }[facts.kind];
  throw new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(path)} ${why}`, { details: { path, kind: facts.kind } });
}

/** How a freshly opened terminal turned out: its program runs, or has ended and left these last lines. */
export type Launched =
  | { readonly kind: "running"; readonly pane: PaneInfo }
  | { readonly kind: "ended"; readonly pane: PaneInfo; readonly lastLines: readonly string[] };

/** Watches a launch for `settleMs`, so that a program that ends at once is told of instead of believed. */
export async function settle(ctx: Context, opened: PaneInfo): Promise<Launched> {
  const deadline = ctx.clock.now() + ctx.settings.settleMs;
  let pane = opened;
  while (pane.exit === null && ctx.clock.now() < deadline) {
    await ctx.clock.sleep(Math.min(50, ctx.settings.settleMs));
    const answer = await ctx.driver.find(opened.identity);
    if (answer.kind === "present") pane = answer.value;
    if (answer.kind === "absent") throw new TmpmError("PANE_GONE", `the terminal disappeared while it was opened: ${answer.reason}`);
  }
  if (pane.exit === null) return { kind: "running", pane };
  const { lastLines } = await ctx.driver.kill(pane.identity, { graceMs: ctx.settings.graceMs });
  return { kind: "ended", pane, lastLines };
}

export function launchFailed(record: SessionRecord, ended: Extract<Launched, { kind: "ended" }>): TmpmError {
  const exit = ended.pane.exit ?? { status: null, signal: null };
  const how = describeExit(exit);
  const last = ended.lastLines.filter((line) => line.trim() !== "").at(-1);
  return new TmpmError(
    "LAUNCH_FAILED",
    `session ${record.name} ended at once: ${how}${last === undefined ? "" : `; its last line: ${last}`}`,
    {
      hint: `\`tmpm capture ${record.name}\` shows what it printed; \`tmpm resume ${record.name}\` tries again.`,
      details: { id: record.id, name: record.name, status: exit.status, signal: exit.signal, last_lines: ended.lastLines },
    },
  );
}
