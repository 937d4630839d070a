import type { WorkspaceEnd } from "@tmpm/api";
import { visibleText } from "@tmpm/core";

type Trashed = Extract<WorkspaceEnd, { outcome: "trashed" }>;

/** The outcome for a removed session's workspace, one line each. */
export function workspaceEndNotes(name: string, end: WorkspaceEnd): readonly string[] {
  const lines = end.outcome === "trashed" ? trashedLines(name, end) : [LINES[end.outcome](end.path)];
  return lines.map((line) => visibleText(`${name}: ${line}`));
}

const LINES: Readonly<Record<"kept" | "missing", (path: string) => string>> = {
  kept: (path) => `${path} is kept, unmanaged`,
  missing: (path) => `${path} no longer existed`,
};

function trashedLines(name: string, { until, branch, ignored }: Trashed): readonly string[] {
  const files = ignored === 0 ? "" : `, with ${ignored} ignored ${ignored === 1 ? "file or folder" : "files and folders"}`;
  const way = `its workspace is in the trash until ${until.slice(0, 10)}${files}; \`tmpm undo ${name}\` restores it`;
  return [way, ...(branch === null ? [] : [branchLine(branch)])];
}

function branchLine({ name, outcome, why }: NonNullable<Trashed["branch"]>): string {
  return outcome === "deleted" ? `branch ${name} was deleted` : `branch ${name} stays: ${why ?? "reason unknown"}`;
}
