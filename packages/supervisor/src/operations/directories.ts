import { isAbsolute, join } from "node:path";
import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";

/** The requested directory of sessions. */
export interface RecentDirectory {
  readonly path: string;
  /** When the last of its sessions was created. */
  readonly last_used_at: string;
  readonly sessions: number;
}

/**
 * Directories of all known sessions, also archived ones, the latest first. A workspace of ours is listed as its source directory. Whether a
 * directory still exists is not checked: its disk may not answer.
 */
export async function directories(
  ctx: Pick<Context, "store">,
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

/** Null for a clone of a remote repository. */
function askedFor({ workspace, cwd }: SessionRecord): string | null {
  if (workspace === null) return cwd;
  return isAbsolute(workspace.source) ? join(workspace.source, workspace.folder) : null;
}
