import type { PaneInfo, SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { describeExit } from "../observe/observations.js";
import { recordEvent } from "../record-change.js";
import { launchFailed, settle } from "./launch.js";

/** Watches a fresh launch for an immediate end, and records the outcome. @throws LAUNCH_FAILED */
export async function confirmLaunch(ctx: Context, opened: { record: SessionRecord; pane: PaneInfo }): Promise<SessionRecord> {
  const { record, pane } = opened;
  const launched = await settle(ctx, { record, pane });
  await ctx.reached("create.confirmed");
  if (launched.kind === "running") {
    return recordLaunched(ctx, { record, pane: launched.pane });
  }
  const { exit } = launched.pane;
  const last_lines = launched.lastLines;
  if (exit?.status === 0) return recordEvent(ctx, record.id, { type: "stopped", cause: "unexpected", exit, last_lines });
  const error = { code: "LAUNCH_FAILED", message: exit === null ? "the program ended at once" : describeExit(exit) };
  await recordEvent(ctx, record.id, { type: "failed", error, exit, last_lines });
  throw launchFailed(record, launched);
}

/** A launch that cannot be recorded is rolled back: its caller gets the error, and may retry. */
async function recordLaunched(ctx: Context, { record, pane }: { record: SessionRecord; pane: PaneInfo }): Promise<SessionRecord> {
  try {
    return await recordEvent(ctx, record.id, { type: "launched", pane: pane.identity, pid: pane.pid });
  } catch (error) {
    await takeBack(ctx, { record, pane, error });
    throw error;
  }
}

/** An incomplete rollback keeps its intent, for reconcile. */
async function takeBack(ctx: Context, failed: { record: SessionRecord; pane: PaneInfo; error: unknown }): Promise<void> {
  const { record, pane } = failed;
  const message = failed.error instanceof Error ? failed.error.message : String(failed.error);
  try {
    const { exit, lastLines } = await ctx.host.kill(pane.identity, { graceMs: ctx.settings.graceMs });
    const error = { code: "LAUNCH_FAILED", message: `the launch could not be recorded: ${message}` };
    await recordEvent(ctx, record.id, { type: "failed", error, exit, last_lines: lastLines });
  } catch (error) {
    ctx.report({ doing: `rolling back the launch of session ${record.name}`, error });
  }
}
