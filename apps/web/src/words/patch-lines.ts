/** A line of a patch, with its numbers in the file before and after. */
export interface PatchLine {
  readonly kind: "hunk" | "same" | "added" | "removed" | "note";
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;
const KINDS = { " ": "same", "+": "added", "-": "removed" } as const;

/** The hunks of one file's patch, as `git diff` prints it, without its header. */
export function patchLines(patch: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  let [before, after] = [0, 0];
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      lines.push({ kind: "hunk", before: null, after: null, text: hunk[3] ?? "" });
      continue;
    }
    if (lines.length === 0) continue;
    const sign = line.charAt(0);
    if (sign !== " " && sign !== "+" && sign !== "-") {
      lines.push({ kind: "note", before: null, after: null, text: line.replace(/^\\ /, "") });
      continue;
    }
    const kind = KINDS[sign];
    lines.push({ kind, before: kind === "added" ? null : before++, after: kind === "removed" ? null : after++, text: line.slice(1) });
  }
  return lines;
}
