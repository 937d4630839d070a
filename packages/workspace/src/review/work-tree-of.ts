import type { WorkspaceContext } from "../context.js";
import { findRepository, noRepository } from "../git/find-repository.js";

/** The top of the work tree around a directory. @throws REPOSITORY_NOT_FOUND, GIT_FAILED, PREREQUISITE_MISSING */
export async function workTreeOf(ctx: WorkspaceContext, directory: string): Promise<string> {
  const { place, checkedOut } = await findRepository(directory, { env: ctx.env, timeoutMs: ctx.lookMs });
  if (checkedOut) return place;
  throw noRepository(directory, { reason: "it is not in a work tree, so nothing in it can have changed", hint: null });
}
