import { type Intent, isTerminal, type PaneInfo, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { finishFinish } from "../finish/conclude-finish.js";
import { settle } from "../launch/launch.js";
import { stopNow } from "../launch/stop-now.js";
import { taggedTerminals } from "../launch/tagged-terminals.js";
import { describeExit } from "../observe/observations.js";
import { finishRename } from "../operations/rename.js";
import { finishRestart } from "../operations/restart.js";
import { finishUndo } from "../operations/undo.js";
import { recordEvent } from "../record-change.js";
import { finishRemove, type WorkspaceEnd } from "../workspace/end-workspace.js";
import { finishProvisioning, PROVISIONING } from "../workspace/provision-workspace.js";
import { finishSetUp, SETTING_UP } from "../workspace/set-up.js";

export interface Interrupted {
  readonly record: SessionRecord;
  /** A terminal with the session's tag in the last listing. */
  readonly pane: PaneInfo | null;
}

/** `workspace`: the result for the workspace, if the operation ended the session and was to end that. */
export type InterruptedOutcome = { readonly kind: "changed"; readonly workspace: WorkspaceEnd | null } | { readonly kind: "unknown" };

const CHANGED: InterruptedOutcome = { kind: "changed", workspace: null };

/**
 * Finishes an interrupted operation: a launch that reached its host is taken over, one that did not is recorded as failed, a stop
 * continues. The caller holds the session's queue.
 */
export async function finishInterrupted(ctx: Context, seen: Interrupted): Promise<InterruptedOutcome> {
  const { record } = seen;
  switch (record.intent?.op) {
    case "remove":
      return { kind: "changed", workspace: await finishRemove(ctx, record) };
    case "finish":
      return { kind: "changed", workspace: await finishFinish(ctx, record) };
    case "undo":
      await finishUndo(ctx, record);
      return CHANGED;
    case "stop":
      await stopNow(ctx, { id: record.id, graceMs: ctx.settings.graceMs });
      return CHANGED;
    case "restart":
      await finishRestart(ctx, record);
      return CHANGED;
    case "rename":
      await finishRename(ctx, record);
      return CHANGED;
    default:
      return finishLaunch(ctx, seen);
  }
}

async function finishLaunch(ctx: Context, seen: Interrupted): Promise<InterruptedOutcome> {
  const { record } = seen;
  if (record.intent?.step === PROVISIONING) await finishProvisioning(ctx, record);
  else if (record.intent?.step === SETTING_UP) await finishSetUp(ctx, record);
  else {
    const pane = await findTagged(ctx, seen);
    if (pane === "unknown") return { kind: "unknown" };
    if (pane === null) await recordEvent(ctx, record.id, notLaunched(record));
    else await takeOver(ctx, { record, pane });
  }
  return CHANGED;
}

/** The list may be older than the launch, so an absence is checked once more. */
async function findTagged(ctx: Pick<Context, "host">, seen: Interrupted): Promise<PaneInfo | null | "unknown"> {
  if (seen.pane !== null) return seen.pane;
  const tagged = await taggedTerminals(ctx, seen.record);
  return tagged.kind === "unknown" ? "unknown" : (tagged.panes[0] ?? null);
}

/**
 * Finishes an interrupted operation before another one takes the place of its intent, which holds what is needed to finish it. Only a stop
 * and the launch of a program need none: the next stop or launch finds their terminal by its tag. The caller holds the session's queue.
 */
export async function finishFirst(
  ctx: Context,
  record: SessionRecord,
): Promise<{ readonly record: SessionRecord; readonly workspace: WorkspaceEnd | null }> {
  if (record.intent === null || isTerminal(record) || isReplaceable(record.intent)) return { record, workspace: null };
  const settled = await finishInterrupted(ctx, { record, pane: null });
  return { record: await findSession(ctx, record.id), workspace: settled.kind === "changed" ? settled.workspace : null };
}

function isReplaceable({ op, step }: Intent): boolean {
  return op === "stop" || op === "resume" || op === "restart" || (op === "create" && step !== PROVISIONING && step !== SETTING_UP);
}

function notLaunched(record: SessionRecord): Parameters<typeof recordEvent>[2] {
  const error = { code: "LAUNCH_FAILED", message: "tmpm was interrupted before the program was started" };
  return { type: "failed", error, exit: record.exit, last_lines: record.last_lines };
}

async function takeOver(ctx: Context, seen: { record: SessionRecord; pane: PaneInfo }): Promise<void> {
  const launched = await settle(ctx, seen);
  const { identity, pid, exit } = launched.pane;
  if (launched.kind === "running") {
    await recordEvent(ctx, seen.record.id, { type: "launched", pane: identity, pid });
    return;
  }
  const error = { code: "LAUNCH_FAILED", message: exit === null ? "the program ended at once" : describeExit(exit) };
  await recordEvent(ctx, seen.record.id, { type: "failed", error, exit, last_lines: launched.lastLines });
}
