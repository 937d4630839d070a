import type { ReconcileAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { reconcileNotes, renderReconciled } from "../render/reconciled.js";

/** Allows for watching every interrupted launch. */
const TIMEOUT_MS = 120_000;

export const reconcile = command({
  name: "reconcile",
  group: "Take over existing sessions",
  summary: "Reconcile records with running programs, and report changes",
  more: `tmpm does this automatically at start and whenever a host reports a change. An unresponsive host changes nothing.

Examples:
  tmpm reconcile --dry-run
  tmpm reconcile --json`,
  args: {},
  options: { dryRun: { takes: "flag", summary: "Report changes without making them" } },
  async run({ dryRun }, context): Promise<ReconcileAnswer> {
    return context.client().reconcile({ dry_run: dryRun || undefined }, { timeoutMs: TIMEOUT_MS });
  },
  render: renderReconciled,
  notes: reconcileNotes,
  exit: ({ unobservable }) => (unobservable.length === 0 ? 0 : 6),
});
