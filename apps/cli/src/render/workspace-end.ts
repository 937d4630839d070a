import type { WorkspaceEnd } from "@tmpm/api";
import { visibleText } from "@tmpm/core";

/** What became of a removed session's workspace, one line each. */
export function workspaceEndNotes(name: string, end: WorkspaceEnd): readonly string[] {
  const lines = end.outcome === "trashed" ? trashedLines(name, end) : [LINES[end.outcome](end.path)];
  return lines.map((line) => visibleText(`${name}: ${line}`));
}

const LINES: Readonly<Record<"kept" | "missing", (path: string) => string>> = {
  kept: (path) => `${path} stays, and is yours now`,
  missing: (path) => `${path} was gone already`,
};

function trashedLines(name: string, { until, branch, ignored }: Extract<WorkspaceEnd, { outcome: "trashed" }>): readonly string[] {
  const files = ignored === 0 ? "" : `, with ${ignored} ignored ${ignored === 1 ? "file or folder" : "files and folders"}`;
  const day = until.slice(0, 10);
  const kept =
    branch.outcome === "deleted" ? `branch ${branch.name} is deleted` : `branch ${branch.name} stays: ${branch.why ?? "not asked for"}`;
  return [`its workspace is in the trash until ${day}${files}; \`tmpm undo ${name}\` brings it back`, kept];
}
