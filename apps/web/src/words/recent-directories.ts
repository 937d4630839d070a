import type { SessionAnswer } from "@tmpm/api";

/** Directories that sessions work or worked in, the latest first; a workspace's own source instead of the workspace. */
export function recentDirectories(
  sessions: readonly Pick<SessionAnswer, "cwd" | "created_at" | "project_path" | "workspace_owned">[],
): readonly string[] {
  const byAge = sessions.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
  const paths = byAge.flatMap(({ cwd, project_path, workspace_owned }) =>
    workspace_owned ? (project_path === null ? [] : [project_path]) : [cwd],
  );
  return [...new Set(paths)].slice(0, 30);
}
