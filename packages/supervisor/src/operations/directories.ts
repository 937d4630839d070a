import { isAbsolute, join } from "node:path";
import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";

/** Where sessions were asked for. */
export interface RecentDirectory {
  readonly path: string;
  /** When the last of its sessions was created. */
  readonly last_used_at: string;
  readonly sessions: number;
}

/**
 * Directories of all sessions that are known, archived ones too, the latest first. A workspace of ours stands for the directory that it was made from. Whether a
 * directory is still there is not checked: one may lie on a disk that does not answer.
 */
export async function directories(
  ctx: Context,
  { limit = 30 }: { readonly limit?: number | undefined },
): Promise<readonly RecentDirectory[]> {
  const entries = await ctx.store.list({ archived: true });
  const found = new Map<string, RecentDirectory>();
  for (const entry of entries) {
    const path = entry.kind === "session" ? askedFor(entry.record) : null;
    if (entry.kind !== "session" || path === null) continue;
    const { last_used_at = "", sessions = 0 } = found.get(path) ?? {};
    const [, latest = ""] = [last_used_at, entry.record.created_at].sort();
    found.set(path, { path, last_used_at: latest, sessions: sessions + 1 });
  }
  return [...found.values()]
    .sort((one, other) => other.last_used_at.localeCompare(one.last_used_at) || one.path.localeCompare(other.path))
    .slice(0, limit);
}

/** Null for a clone of what is not a directory here. */
function askedFor({ workspace, cwd }: SessionRecord): string | null {
  if (workspace === null) return cwd;
  return isAbsolute(workspace.source) ? join(workspace.source, workspace.folder) : null;
}
