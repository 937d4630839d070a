import type { Finding, ReconcileAnswer } from "@tmpm/api";
import type { View } from "../context.js";
import { silentServer } from "./discovered.js";
import { table } from "./table.js";

const HEAD = ["NAME", "FOUND", "CHANGE", "WHY"];

/** One row per session that differed from its record. Empty without any. */
export function renderReconciled({ findings }: ReconcileAnswer, view: Pick<View, "terminal">): string {
  return findings.length === 0 ? "" : table({ head: HEAD, rows: findings.map(row) }, view);
}

/** Summary for people, below the table. */
export function reconcileNotes({ live, findings, dry_run, doubted, unobservable }: ReconcileAnswer): readonly string[] {
  const changes = findings.filter(({ to }) => to !== null).length;
  const change = dry_run ? `${changes} would change, and nothing was changed` : `${changes} changed`;
  const doubt =
    doubted === null ? [] : [`${doubted.affected} of ${doubted.total} seemed gone at once; a second check ${confirmed(doubted, dry_run)}`];
  return [`${live} match their records, ${change}`, ...doubt, ...unobservable.map(silentServer)];
}

function confirmed({ confirmed: count }: NonNullable<ReconcileAnswer["doubted"]>, dryRun: boolean): string {
  return dryRun ? "would decide" : `confirmed ${count}`;
}

function row({ name, outcome, from, to, reason }: Finding): readonly string[] {
  const change = to === null ? "-" : from === null || from === to ? to : `${from} to ${to}`;
  return [name, outcome, change, reason.replaceAll("_", " ")];
}
