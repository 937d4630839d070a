import type { ReconcileAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { reconcileNotes, renderReconciled } from "../render/reconciled.js";

/** Every interrupted launch is watched for a while. */
const TIMEOUT_MS = 120_000;

export const reconcile = command({
  name: "reconcile",
  summary: "Make the records agree with what runs, and tell what was found",
  more: `tmpm does so by itself, at its start and whenever what holds sessions tells of a change. What does not answer changes nothing.

Examples:
  tmpm reconcile --dry-run
  tmpm reconcile --json`,
  args: {},
  options: { dryRun: { takes: "flag", summary: "Tell what would be changed, and change nothing" } },
  async run({ dryRun }, context): Promise<ReconcileAnswer> {
    return context.client().reconcile({ dry_run: dryRun || undefined }, { timeoutMs: TIMEOUT_MS });
  },
  render: renderReconciled,
  notes: reconcileNotes,
  exit: ({ unobservable }) => (unobservable.length === 0 ? 0 : 6),
});
