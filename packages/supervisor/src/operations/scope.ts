import { type Scope, type ScopedAction, scopeOf } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";

/** Compares an action with the session's worktree and issue (trusty-mpm 1.2). */
export async function scope(ctx: Context, input: ScopedAction & { readonly session: string }): Promise<Scope> {
  const record = await findSession(ctx, input.session);
  return scopeOf(record.correlation, input);
}
