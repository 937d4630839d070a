import type { ExportAnswer, ImportAnswer } from "@tmpm/api";
import type { View } from "../context.js";
import { table } from "./table.js";

const HEAD = ["OUTCOME", "NAME", "ID THERE", "REMARKS"];

/** One row per session: its outcome, its local name, and the reason or difference. Empty without sessions. */
export function renderImport(answer: ImportAnswer | ExportAnswer, view: Pick<View, "terminal">): string {
  const rows = importRows(answer);
  return rows.length === 0 ? "" : table({ head: HEAD, rows, spare: [2] }, view);
}

function importRows(answer: ImportAnswer | ExportAnswer): readonly (readonly string[])[] {
  if ("documents" in answer) {
    return answer.documents.map(({ outcome, session, id, source, reason, notes }) => [
      outcome.replaceAll("_", " "),
      session?.name ?? "-",
      id ?? source,
      reason ?? notes.join("; "),
    ]);
  }
  return answer.sessions.map(({ outcome, name, id, reason, notes }) => [outcome, name ?? "-", id, reason ?? notes.join("; ")]);
}
