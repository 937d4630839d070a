import type { WorkspaceContext } from "../context.js";
import { findRepository, noRepository } from "../git/find-repository.js";
import type { Head } from "../git/head.js";

/** The top of the work tree around a directory, and its HEAD. @throws REPOSITORY_NOT_FOUND, GIT_FAILED, PREREQUISITE_MISSING */
export async function workTreeOf(ctx: WorkspaceContext, directory: string): Promise<{ readonly top: string; readonly head: Head }> {
  const { place, checkedOut, head } = await findRepository(directory, { env: ctx.env, timeoutMs: ctx.lookMs });
  if (checkedOut) return { top: place, head };
  throw noRepository(directory, { reason: "it is not in a work tree, so nothing in it can have changed", hint: null });
}
