import { type ProjectSetup, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { requireDirectory } from "../launch/launch.js";
import { agree, disagree } from "../projects/consent.js";

export interface TrustInput {
  /** An absolute directory in the repository; to withdraw consent, also the URL that workspaces are made from. */
  readonly path: string;
  /** False withdraws all consent. */
  readonly trusted: boolean;
}

/** The user's consent; when withdrawn, `setup` and its digest are null. */
export interface Trusted {
  readonly source: string;
  readonly trusted: boolean;
  readonly sha256: string | null;
  readonly setup: ProjectSetup | null;
}

/**
 * Consents to the current setup in a repository's project file: from now on it runs in workspaces made from there, until the file changes.
 * @throws DIRECTORY_NOT_FOUND, FILE_NOT_FOUND without a setup, INVALID_ARGUMENT for an invalid file
 */
export async function trust(ctx: Context, { path, trusted }: TrustInput): Promise<Trusted> {
  const source = trusted || path.startsWith("/") ? await topOf(ctx, path) : path;
  if (!trusted) {
    await disagree(ctx, source);
    return { source, trusted, sha256: null, setup: null };
  }
  const found = await ctx.workspaces.setupIn(source);
  switch (found.kind) {
    case "found":
      await agree(ctx, { source, sha256: found.sha256 });
      return { source, trusted, sha256: found.sha256, setup: found.setup };
    case "none":
      throw new TmpmError("FILE_NOT_FOUND", `there is no .tmpm.yaml with a set-up in ${JSON.stringify(source)}`, {
        details: { path: source },
      });
    case "unreadable":
      throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(found.path)} cannot be used: ${found.reason}`, {
        details: { path: found.path, reason: found.reason },
      });
  }
}

/** The top of the repository around a directory, in the form of a workspace's source. */
async function topOf(ctx: Pick<Context, "describeDirectory" | "directories">, path: string): Promise<string> {
  const { git, realPath } = await requireDirectory(ctx, path);
  return git?.root ?? realPath;
}
