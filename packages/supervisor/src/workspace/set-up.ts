import { portVariables, type SessionRecord, type SessionSetup, TmpmError, timestampFromMs, type Workspace } from "@tmpm/core";
import type { SetUp, SetupFound } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { agree, isAgreed } from "../projects/consent.js";
import { recordChange } from "../record-change.js";

/** The step of a create intent while its workspace is being set up. */
export const SETTING_UP = "set_up";

export interface SettingUp {
  /** For a session whose workspace was just made; the caller holds the session's queue. */
  readonly record: SessionRecord;
  /** True consents to the current project file, false runs nothing; by default it runs with previous consent. */
  readonly consent: boolean | undefined;
}

/**
 * Runs the project file's setup, if the user consented to exactly that content. After a failure the session is `errored` and its workspace
 * is left as it is.
 * @throws SETUP_FAILED
 */
export async function setUp(ctx: Context, { record: made, consent }: SettingUp): Promise<SessionRecord> {
  const record = consent === false ? made : await included(ctx, made);
  const { workspace } = record;
  if (workspace === null || consent === false) return record;
  const found = await ctx.workspaces.setupOf(workspace);
  if (found.kind === "none") return record;
  if (found.kind === "unreadable") {
    if (consent === undefined) return noted(ctx, { record, setup: { state: "unreadable", sha256: null, doing: null } });
    throw await failed(ctx, { record, sha256: null, doing: `reading ${found.path}`, reason: found.reason, lastLines: [] });
  }
  const content = { source: workspace.source, sha256: found.sha256 };
  if (consent === true) await agree(ctx, content);
  else if (!(await isAgreed(ctx, content)))
    return noted(ctx, { record, setup: { state: "not_trusted", sha256: found.sha256, doing: null } });
  return run(ctx, { record, workspace, found });
}

/** Ignored files that the repository wants in every worktree. Nothing is run for them. */
export async function included(ctx: Pick<Context, "store" | "workspaces">, record: SessionRecord): Promise<SessionRecord> {
  const { workspace } = record;
  const notes = workspace === null ? [] : await ctx.workspaces.include(workspace);
  if (notes.length === 0) return record;
  return ctx.store.update(record.id, ({ workspace: before, ...current }) => ({
    ...current,
    workspace: before === null ? null : { ...before, notes: [...before.notes, ...notes] },
  }));
}

interface Running {
  readonly record: SessionRecord;
  readonly workspace: Workspace;
  readonly found: Extract<SetupFound, { kind: "found" }>;
}

async function run(ctx: Context, { record, workspace, found }: Running): Promise<SessionRecord> {
  const { sha256, setup } = found;
  try {
    await noted(ctx, { record, setup: { state: "running", sha256, doing: null }, step: SETTING_UP });
    await ctx.reached("create.preparing");
    const outcome = await ctx.workspaces.setUp(workspace, {
      setup,
      env: lineEnv(ctx, record),
      onStep: async (doing) => {
        ctx.creating.steps.set(record.id, `Setting up its workspace: ${doing}`);
        await noted(ctx, { record, setup: { state: "running", sha256, doing } });
      },
    });
    await ctx.reached("create.prepared");
    if (outcome.kind === "failed") throw await failed(ctx, { record, sha256, ...outcome });
    return await done(ctx, { record, sha256, outcome });
  } catch (error) {
    if (!(error instanceof TmpmError) || error.effect === "unknown") ctx.requests.sweep.notify();
    throw error;
  } finally {
    ctx.creating.steps.delete(record.id);
  }
}

/** The environment of commands in a workspace. Without the agent's variables: a setup needs no key of an agent. */
export function lineEnv(
  ctx: Pick<Context, "settings">,
  { agent_config, name, id, ports }: SessionRecord,
): Readonly<Record<string, string>> {
  const { search_path } = agent_config;
  return {
    ...ctx.settings.sessionEnv,
    ...(search_path === undefined ? {} : { PATH: search_path }),
    ...portVariables(ports),
    TMPM_SESSION_ID: id,
    TMPM_SESSION_NAME: name,
  };
}

interface Noted {
  readonly record: SessionRecord;
  readonly setup: SessionSetup;
  /** The next step of the create. */
  readonly step?: string;
}

export function noted(ctx: Pick<Context, "clock" | "store">, { record, setup, step }: Noted): Promise<SessionRecord> {
  const at = timestampFromMs(ctx.clock.now());
  return ctx.store.update(record.id, ({ intent, ...current }) => ({
    ...current,
    setup,
    intent: intent === null || step === undefined ? intent : { ...intent, step },
    updated_at: at,
  }));
}

interface Done {
  readonly record: SessionRecord;
  readonly sha256: string;
  readonly outcome: Extract<SetUp, { kind: "done" }>;
}

async function done(ctx: Pick<Context, "clock" | "emit" | "store">, { record, sha256, outcome }: Done): Promise<SessionRecord> {
  const doing = outcome.missing.length === 0 ? null : `without ${outcome.missing.join(", ")}`;
  const after = await noted(ctx, { record, setup: { state: "done", sha256, doing }, step: "open" });
  emitSetUp(ctx, { record: after, failed: null });
  return after;
}

interface Failure {
  readonly record: SessionRecord;
  readonly sha256: string | null;
  readonly doing: string;
  readonly reason: string;
  readonly lastLines: readonly string[];
}

/** Records the failure, and returns it for the caller. */
async function failed(ctx: Context, { record, sha256, doing, reason, lastLines }: Failure): Promise<TmpmError> {
  const { id, name } = record;
  const message = `${doing}: ${reason}`;
  await recordChange(ctx, {
    id,
    change: () => ({ type: "failed", error: { code: "SETUP_FAILED", message }, exit: null, last_lines: lastLines }),
    also: () => ({ setup: { state: "failed", sha256, doing } }),
  });
  emitSetUp(ctx, { record, failed: message });
  const last = lastLines.at(-1);
  return new TmpmError(
    "SETUP_FAILED",
    `the set-up of session ${name} failed: ${message}${last === undefined ? "" : `; its last line: ${last}`}`,
    {
      hint: `\`tmpm capture ${name}\` shows its last lines. Its workspace is kept: \`tmpm resume ${name}\` starts the agent there, \`tmpm rm ${name}\` removes it.`,
      details: { id, name, doing, reason, last_lines: lastLines },
    },
  );
}

function emitSetUp(
  ctx: Pick<Context, "clock" | "emit">,
  { record, failed }: { readonly record: SessionRecord; readonly failed: string | null },
): void {
  const at = timestampFromMs(ctx.clock.now());
  ctx.emit({ type: "workspace_set_up", at, session_id: record.id, path: record.workspace_path ?? record.cwd, failed });
}

/** Records a setup interrupted by a crash. Nothing is run again automatically, and the workspace stays: its content may be valuable. */
export async function finishSetUp(ctx: Context, record: SessionRecord): Promise<void> {
  const doing = record.setup?.doing ?? "set-up";
  await failed(ctx, { record, sha256: record.setup?.sha256 ?? null, doing, reason: "tmpm was interrupted", lastLines: [] });
}
