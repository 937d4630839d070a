import { join } from "node:path";
import type { LaunchPlan } from "@tmpm/agents";
import { type PaneInfo, PROTOCOL_USAGE_FILE, portVariables, type SessionRecord, TmpmError } from "@tmpm/core";
import type { DirectoryFacts } from "@tmpm/workspace";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { describeExit } from "../observe/observations.js";
import { readScreen } from "../observe/observe.js";
import { overridesOf } from "../overrides/session-overrides.js";

/** Opens the terminal of a session and starts its program in it; the pane carries the session id from the beginning. */
export async function openTerminal(ctx: Context, launch: { readonly record: SessionRecord; readonly plan: LaunchPlan }): Promise<PaneInfo> {
  const { record, plan } = launch;
  const searchPath = record.agent_config.search_path;
  return ctx.host.of(record.control).create({
    sessionId: record.id,
    tmuxName: record.tmux_name,
    cwd: workingDirectory(record),
    argv: plan.argv,
    env: {
      ...ctx.settings.sessionEnv,
      ...(await ctx.launchEnvs.of(record.id)),
      ...(searchPath === undefined ? {} : { PATH: searchPath }),
      ...plan.env,
      ...portVariables(record.ports),
      TMPM_SESSION_ID: record.id,
      TMPM_SESSION_NAME: record.name,
    },
    columns: ctx.settings.columns,
    rows: ctx.settings.rows,
    beginning: {
      conversationId: record.conversation_id,
      overrides: overridesOf(record),
      permissions: overridesOf(record).permissions,
      ...(record.grant === null ? {} : { tools: ctx.hooks?.tools }),
      ...(ctx.hooks === undefined ? {} : { usageFile: join(ctx.hooks.folder(record.id), PROTOCOL_USAGE_FILE) }),
    },
  });
}

/** A session with a workspace works there: at its top, or in the folder of it that `cwd` names. */
export function workingDirectory({ cwd, workspace_path }: Pick<SessionRecord, "cwd" | "workspace_path">): string {
  return workspace_path === null || cwd.startsWith(`${workspace_path}/`) ? cwd : workspace_path;
}

/** Facts about the directory. @throws DIRECTORY_NOT_FOUND */
export async function requireDirectory(
  ctx: Pick<Context, "describeDirectory" | "directories">,
  path: string,
  { hint }: { readonly hint?: string } = {},
): Promise<Extract<DirectoryFacts, { kind: "directory" }>> {
  const facts = await ctx.describeDirectory(path);
  if (facts.kind === "directory") {
    ctx.directories.found(path);
    return facts;
  }
  const details = { path, kind: facts.kind };
  // The replacement for bytes that are not UTF-8 in a name.
  if (facts.kind === "missing" && path.includes("\uFFFD")) {
    throw new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(path)} cannot be used: its name is not UTF-8`, {
      hint: "Rename it, or use a symbolic link with a UTF-8 name.",
      details,
    });
  }
  const why = {
    missing: "does not exist",
    not_directory: "is not a directory",
    unreadable: `cannot be opened${facts.kind === "unreadable" ? `: ${facts.reason}` : ""}`,
  }[facts.kind];
  throw new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(path)} ${why}`, { details, ...(hint === undefined ? {} : { hint }) });
}

/** The state of a freshly opened terminal: its program runs, or has ended with these last lines. */
export type Launched =
  | { readonly kind: "running"; readonly pane: PaneInfo }
  | { readonly kind: "ended"; readonly pane: PaneInfo; readonly lastLines: readonly string[] };

const POLL_MS = 50;

/** Watches a launch until the agent shows its input, for at most `settleMs`, to report a program that ends at once. */
export async function settle(ctx: Context, opened: { readonly record: SessionRecord; readonly pane: PaneInfo }): Promise<Launched> {
  const record = { ...opened.record, pane: opened.pane.identity };
  const adapter = agentOf(ctx, record);
  const deadline = ctx.clock.now() + ctx.settings.settleMs;
  for (;;) {
    const { pane, reading } = await readScreen(ctx, { record, adapter });
    if (pane.exit !== null) {
      const { lastLines } = await ctx.host.kill(pane.identity, { graceMs: ctx.settings.graceMs });
      return { kind: "ended", pane, lastLines };
    }
    if (reading.state === "idle" || reading.state === "blocked" || ctx.clock.now() >= deadline) return { kind: "running", pane };
    await ctx.clock.sleep(POLL_MS);
  }
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
