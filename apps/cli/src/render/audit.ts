import type { AuditAnswer, AuditEntryAnswer, AuditFinding } from "@tmpm/api";
import type { View } from "../context.js";
import { fromNow } from "./age.js";
import { oneLine } from "./one-line.js";
import { table } from "./table.js";

const HEAD = ["NO", "WHEN", "KIND", "WHO", "WHAT", "REQUEST"];
/** Columns omitted in this order if space is short: request id, number, kind. */
const SPARE = [5, 0, 2];

/** The entries, followed by whether the chain is intact. */
export function renderAudit({ entries, checked, findings }: AuditAnswer, view: View): string {
  const rows = entries.map((entry) => [String(entry.seq), fromNow(entry.at, view.now), entry.kind, ...words(entry)]);
  const verdict = findings.some(({ kind }) => kind === "damaged") ? "the chain is broken:" : `the chain is intact (${checked} lines)`;
  return [...(rows.length === 0 ? [] : [table({ head: HEAD, rows, spare: SPARE }, view), ""]), verdict, ...findings.map(finding)].join(
    "\n",
  );
}

function finding({ file, line, kind, what }: AuditFinding): string {
  return oneLine(`${kind}  ${file}:${line}  ${what}`);
}

function words(entry: AuditEntryAnswer): readonly string[] {
  const text = (name: string) => (typeof entry[name] === "string" || typeof entry[name] === "number" ? String(entry[name]) : "");
  const { caller } = entry;
  const who = typeof caller === "object" && caller !== null ? caller : {};
  const named = "token" in who && typeof who.token === "string" ? who.token : "kind" in who ? String(who.kind) : "";
  const peer = "peer" in who ? String(who.peer) : "";
  const what = [text("method"), text("route"), text("target"), text("status"), text("code"), text("count"), text("version")];
  return [named === "" ? "" : `${named}@${peer}`, what.filter((word) => word !== "").join(" "), text("request_id")];
}
