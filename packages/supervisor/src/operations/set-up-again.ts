import { invalidState, isTerminal, type SessionSetup, TmpmError, timestampFromMs, type Workspace } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { agree, isAgreed } from "../projects/consent.js";
import { requireSettled } from "../require-settled.js";
import { givePorts } from "../workspace/ports.js";
import { included, lineEnv, noted } from "../workspace/set-up.js";

export interface SetUpAgainInput {
  readonly session: string;
  /** Consents to the current project file. */
  readonly consent?: boolean | undefined;
}

/**
 * Runs the project file's workspace setup again, whatever its previous result; existing files stay. The session continues.
 * @throws SETUP_FAILED, INVALID_ARGUMENT without a workspace, a setup or consent to it, INVALID_STATE
 */
export async function setUpAgain(ctx: Context, input: SetUpAgainInput): Promise<SessionFacts> {
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const before = await findSession(ctx, id);
    if (isTerminal(before)) throw invalidState(before, { verb: "set up", allowed: ["active", "stopped", "errored"] });
    requireSettled(before, "set up");
    const record = await included(ctx, await givePorts(ctx, before));
    const { workspace } = record;
    if (workspace === null) throw refused(`session ${record.name} has no workspace that tmpm made`, "Set up its directory yourself.");
    const { setup, sha256 } = await agreed(ctx, { workspace, consent: input.consent ?? false });
    const note = (state: SessionSetup["state"], doing: string | null) => noted(ctx, { record, setup: { state, sha256, doing } });
    await note("running", null);
    const env = lineEnv(ctx, record);
    const run = () =>
      ctx.workspaces.setUp(workspace, { setup, env, again: true, onStep: async (doing) => void (await note("running", doing)) });
    // What could not be run, as with a log that cannot be written, does not run either.
    const outcome = await run().catch(async (error: unknown) => {
      await note("failed", error instanceof Error ? error.message : String(error));
      throw error;
    });
    const failed = outcome.kind === "failed" ? `${outcome.doing}: ${outcome.reason}` : null;
    const missing = outcome.kind === "done" && outcome.missing.length > 0 ? `without ${outcome.missing.join(", ")}` : null;
    const after = await note(outcome.kind, outcome.kind === "failed" ? outcome.doing : missing);
    ctx.emit({ type: "workspace_set_up", at: timestampFromMs(ctx.clock.now()), session_id: id, path: workspace.path, failed });
    if (outcome.kind === "done") return factsOf(ctx, after);
    throw new TmpmError("SETUP_FAILED", `the set-up of session ${record.name} failed: ${failed}`, {
      hint: "Its workspace was left as it was at the failure.",
      details: { id, doing: outcome.doing, reason: outcome.reason, last_lines: outcome.lastLines },
    });
  });
}

async function agreed(ctx: Context, { workspace, consent }: { readonly workspace: Workspace; readonly consent: boolean }) {
  const found = await ctx.workspaces.setupOf(workspace);
  if (found.kind === "none") throw refused("there is no .tmpm.yaml with a set-up", "See docs/workspaces.md.");
  if (found.kind === "unreadable") throw refused(`${found.path} cannot be used: ${found.reason}`, "Correct it first.");
  const content = { source: workspace.source, sha256: found.sha256 };
  if (consent) await agree(ctx, content);
  else if (!(await isAgreed(ctx, content)))
    throw refused("the current content of .tmpm.yaml has no consent", "`tmpm setup SESSION --again --trust` consents and runs it.");
  return found;
}

function refused(message: string, hint: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { hint, details: { field: "session" } });
}
