import type { PaneInfo, SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { finishFinish } from "../finish/conclude-finish.js";
import { settle } from "../launch/launch.js";
import { describeExit } from "../observe/observations.js";
import { finishRemove } from "../operations/remove.js";
import { finishRename } from "../operations/rename.js";
import { finishRestart } from "../operations/restart.js";
import { stopNow } from "../operations/stop.js";
import { finishUndo } from "../operations/undo.js";
import { recordEvent } from "../record-change.js";
import { finishProvisioning, PROVISIONING } from "../workspace/provision-workspace.js";
import { finishSetUp, SETTING_UP } from "../workspace/set-up.js";

export interface Interrupted {
  readonly record: SessionRecord;
  /** A terminal with the session's tag in the last listing. */
  readonly pane: PaneInfo | null;
}

/**
 * Finishes an interrupted operation: a launch that reached its host is taken over, one that did not is recorded as failed, a stop
 * continues. The caller holds the session's queue.
 */
export async function finishInterrupted(ctx: Context, seen: Interrupted): Promise<"changed" | "unknown"> {
  const { record } = seen;
  if (record.intent?.op === "remove" || record.intent?.op === "undo") {
    await (record.intent.op === "remove" ? finishRemove(ctx, record) : finishUndo(ctx, record));
    return "changed";
  }
  if (record.intent?.op === "finish") {
    await finishFinish(ctx, record);
    return "changed";
  }
  if (record.intent?.op === "create" && record.intent.step === PROVISIONING) {
    await finishProvisioning(ctx, record);
    return "changed";
  }
  if (record.intent?.op === "create" && record.intent.step === SETTING_UP) {
    await finishSetUp(ctx, record);
    return "changed";
  }
  if (record.intent?.op === "stop") {
    await stopNow(ctx, { id: record.id, graceMs: ctx.settings.graceMs });
    return "changed";
  }
  if (record.intent?.op === "restart" || record.intent?.op === "rename") {
    await (record.intent.op === "restart" ? finishRestart(ctx, record) : finishRename(ctx, record));
    return "changed";
  }
  const pane = await findTagged(ctx, seen);
  if (pane === "unknown") return "unknown";
  if (pane === null) await recordEvent(ctx, record.id, notLaunched(record));
  else await takeOver(ctx, { record, pane });
  return "changed";
}

/** The list may be older than the launch, so an absence is checked once more. */
async function findTagged(ctx: Context, seen: Interrupted): Promise<PaneInfo | null | "unknown"> {
  if (seen.pane !== null) return seen.pane;
  const answer = await ctx.host.of(seen.record.control).list();
  if (answer.kind === "unknown") return "unknown";
  if (answer.kind === "absent") return null;
  return answer.value.find((pane) => pane.sessionId === seen.record.id) ?? null;
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
