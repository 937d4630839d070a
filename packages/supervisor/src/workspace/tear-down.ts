import { hasCode, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { isAgreed } from "../projects/consent.js";
import { lineEnv } from "./set-up.js";

/**
 * Runs the project file's clean-up before a workspace goes to the trash, if the user consented to exactly that content. Failures are
 * reported, and prevent nothing.
 */
export async function tearDown(ctx: Context, record: SessionRecord): Promise<void> {
  const { id, workspace } = record;
  if (workspace === null) return;
  const found = await ctx.workspaces.setupOf(workspace);
  if (found.kind !== "found" || found.setup.teardown.length === 0) return;
  if (!(await isAgreed(ctx, { source: workspace.source, sha256: found.sha256 }))) return;
  const failed = await torn(ctx, { record, workspace, setup: found.setup });
  ctx.emit({ type: "workspace_torn_down", at: timestampFromMs(ctx.clock.now()), session_id: id, path: workspace.path, failed });
}

type Tearing = Parameters<Context["workspaces"]["tearDown"]>;

async function torn(
  ctx: Pick<Context, "settings" | "workspaces">,
  of: { readonly record: SessionRecord; readonly workspace: Tearing[0]; readonly setup: Tearing[1]["setup"] },
): Promise<string | null> {
  const { record, workspace, setup } = of;
  try {
    const failure = await ctx.workspaces.tearDown(workspace, { setup, env: lineEnv(ctx, record), onStep: async () => undefined });
    return failure === null ? null : `${failure.doing}: ${failure.reason}`;
  } catch (error) {
    // Its log could not be written.
    if (hasCode(error, "UNSAFE_PATH", "STORAGE_FULL", "STORE_READ_ONLY")) return error.message;
    throw error;
  }
}
