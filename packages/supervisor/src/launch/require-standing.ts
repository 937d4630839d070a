import { type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { requireDirectory, workingDirectory } from "./launch.js";

/**
 * Requires a session's directory and workspace to be intact. Every error names the remedy.
 * @throws DIRECTORY_NOT_FOUND, REPOSITORY_NOT_FOUND when a worktree lost its repository
 */
export async function requireStanding(
  ctx: Pick<Context, "describeDirectory" | "directories" | "workspaces">,
  record: SessionRecord,
): Promise<void> {
  const { workspace, name } = record;
  if (workspace === null || workspace.trashed !== null) {
    await requireDirectory(ctx, workingDirectory(record), {
      hint: `If it was moved, set its new location with \`tmpm set ${name} --cwd DIR\`.`,
    });
    return;
  }
  const { path } = workspace;
  const standing = await ctx.workspaces.standing(workspace);
  const again = `\`tmpm resume ${name} --recreate\` recreates it on branch ${workspace.branch}.`;
  switch (standing.kind) {
    case "missing":
      throw new TmpmError("DIRECTORY_NOT_FOUND", `the workspace ${JSON.stringify(path)} does not exist`, {
        hint: again,
        details: { path, kind: "missing" },
      });
    case "unfinished":
      throw new TmpmError("DIRECTORY_NOT_FOUND", `the workspace ${JSON.stringify(path)} was not completed`, {
        hint: again,
        details: { path, kind: "unfinished" },
      });
    case "cut_off":
      throw new TmpmError(
        "REPOSITORY_NOT_FOUND",
        `the repository of the workspace ${JSON.stringify(path)} is not at ${JSON.stringify(standing.repository)}`,
        {
          hint: `If it was moved, set its new location with \`tmpm set ${name} --cwd DIR\`.`,
          details: { path, reason: "moved" },
        },
      );
    case "standing":
      await requireDirectory(ctx, workingDirectory(record), {
        hint: `\`tmpm set ${name} --cwd DIR\` selects another folder of its workspace.`,
      });
  }
}
