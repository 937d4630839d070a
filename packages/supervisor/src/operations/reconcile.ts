import { hasCode, isTerminal, onceDone, type PaneInfo, type SessionRecord, type SessionState, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { adoptPane, idOfPane, RECORD_LOST } from "../discovery/adopt-pane.js";
import { isTheirs } from "../discovery/bind-pane.js";
import { finishInterrupted } from "../discovery/finish-interrupted.js";
import { confirmedGone, type Disappearance, isMassLoss } from "../discovery/mass-loss-guard.js";
import { planReconcile, type SessionStep, type StrangerStep } from "../discovery/reconcile-plan.js";
import { isAbsentProgram, observeTerminals, type Unobservable } from "../discovery/terminals.js";
import { bindTheirs, type Stranger, strangersOf } from "../discovery/their-terminal.js";
import { findSession } from "../find-session.js";
import { concludeNow, removeDead } from "../observe/conclude.js";
import { recordChange } from "../record-change.js";

/** One finding. `to` is null when nothing was, or would be, changed. */
export interface Finding {
  /** Null for a terminal without a session. */
  readonly id: string | null;
  readonly name: string;
  readonly outcome: "changed" | "found" | "adopted" | "rebuilt" | "unknown" | "left";
  readonly from: SessionState | null;
  readonly to: SessionState | null;
  readonly reason: string;
}

/** The result of a reconciliation. Servers that could not be queried are `unobservable`, and nothing about their sessions was changed. */
export interface Reconciled {
  readonly dry_run: boolean;
  /** Number of sessions that run as recorded. */
  readonly live: number;
  readonly findings: readonly Finding[];
  /** Number of sessions that seemed gone at once, when the observation was suspected; null otherwise. */
  readonly doubted: { readonly affected: number; readonly total: number; readonly confirmed: number } | null;
  readonly unobservable: readonly Unobservable[];
}

/**
 * Brings the records in line with the observation: completes or rolls back operations interrupted by a crash, records ended programs,
 * recovers sessions that seemed gone, and adopts unrecorded sessions of our own hosts. Unknown states change nothing; `dry_run` changes
 * nothing at all.
 */
export async function reconcile(ctx: Context, input: { readonly dry_run?: boolean | undefined } = {}): Promise<Reconciled> {
  const entries = await ctx.store.list({ archived: true });
  const records = entries.flatMap((entry): SessionRecord[] =>
    entry.kind === "session" && !isTerminal(entry.record) ? [entry.record] : [],
  );
  const terminals = await observeTerminals(ctx, records);
  const { homeTag } = ctx.settings;
  const plan = planReconcile({
    entries,
    terminals,
    placeOf: (control) => placeOf(ctx, control),
    isOwn: ctx.host.isOwn,
    homeTag,
    busy: ctx.queue.busy,
  });
  const active = records.filter(({ state, pane }) => state === "active" && pane !== null && terminals.answered(pane.socket));
  const missing = { gone: plan.sessions.flatMap(({ kind, record }) => (kind === "gone" ? [record] : [])), total: active.length };
  const dry = input.dry_run ?? false;
  const believed = dry ? missing.gone : await confirmedGone(ctx, missing);
  const apply = { ctx, dry, believed: new Set(believed.map(({ id }) => id)), strangers: onceDone(() => strangersOf(ctx)) };
  const findings = await Promise.all([
    ...plan.sessions.map((step) => sessionFinding(apply, step)),
    ...plan.strangers.map((step) => strangerFinding(apply, step)),
  ]);
  const found = findings.flatMap((finding) => finding ?? []);
  const live = plan.sessions.filter(({ kind }) => kind === "live").length;
  if (!dry) emitFindings(ctx, { live, found });
  return {
    dry_run: dry,
    live,
    findings: found,
    doubted: massLossOf(missing, believed.length),
    unobservable: terminals.unobservable.filter((silent) => concerns(ctx, { silent, records })),
  };
}

/** A host without its program matters only to its own sessions. */
function concerns(
  ctx: Pick<Context, "host">,
  { silent, records }: { readonly silent: Unobservable; readonly records: readonly SessionRecord[] },
): boolean {
  if (!isAbsentProgram(silent.error)) return true;
  return records.some(({ state, pane }) => state === "active" && pane !== null && ctx.host.at(pane).place === silent.socket);
}

/** Null for a host that this daemon does not have. */
function placeOf(ctx: Pick<Context, "host">, control: SessionRecord["control"]): string | null {
  return ctx.host.own.find((host) => host.control === control)?.place ?? null;
}

function massLossOf(missing: Disappearance, confirmed: number): Reconciled["doubted"] {
  return isMassLoss(missing) ? { affected: missing.gone.length, total: missing.total, confirmed } : null;
}

/** A reconciliation without findings is not reported. */
function emitFindings(
  ctx: Pick<Context, "clock" | "discovery" | "emit">,
  { live, found }: { readonly live: number; readonly found: readonly Finding[] },
): void {
  if (found.every(({ to }) => to === null)) return;
  const count = (...outcomes: readonly Finding["outcome"][]) => found.filter(({ outcome }) => outcomes.includes(outcome)).length;
  ctx.emit({
    type: "reconcile_finished",
    at: timestampFromMs(ctx.clock.now()),
    session_id: null,
    live,
    changed: count("changed", "found"),
    unknown: count("unknown"),
    adopted: count("adopted", "rebuilt"),
    discovered: ctx.discovery.before.count(),
  });
}

interface Apply {
  readonly ctx: Context;
  readonly dry: boolean;
  readonly believed: ReadonlySet<string>;
  readonly strangers: () => Promise<readonly Stranger[]>;
}

/** A session in use by another operation is skipped; a failure of one does not affect the others. */
async function sessionFinding(apply: Apply, step: SessionStep): Promise<Finding | null> {
  const { ctx } = apply;
  const { record } = step;
  const about = { id: record.id, name: record.name, from: record.state };
  try {
    switch (step.kind) {
      case "live":
      case "at_rest":
        return null;
      case "unknown":
        return { ...about, outcome: "unknown", to: null, reason: "server_silent" };
      case "left":
        return { ...about, outcome: "left", to: null, reason: step.reason };
      case "theirs":
        return await theirFinding(apply, step);
      case "gone":
        if (!apply.believed.has(record.id)) return { ...about, outcome: "unknown", to: null, reason: "in_doubt" };
        return await changed(apply, { step, task: () => concludeNow(ctx, record.id), expected: "stopped", reason: "terminal_gone" });
      case "ended":
        return await changed(apply, { step, task: () => concludeNow(ctx, record.id), expected: "stopped", reason: "process_exit" });
      case "found":
        return await changed(apply, { step, task: () => takeBack(ctx, step), expected: "active", reason: "terminal_found" });
      case "clear":
        if (!apply.dry) await ctx.queue.run(record.id, () => removeDead(ctx, step.pane.identity));
        return null;
      case "finish":
        return await changed(apply, { step, task: () => finish(ctx, step), expected: null, reason: `interrupted_${record.intent?.op}` });
    }
  } catch (error) {
    ctx.report({ doing: `reconciling session ${record.name}`, error });
    return { ...about, outcome: "unknown", to: null, reason: "failed" };
  }
}

/** Another program runs it: its terminal is bound if found, and otherwise unknown. */
async function theirFinding({ ctx, dry, strangers }: Apply, { record }: SessionStep): Promise<Finding | null> {
  const { id, name, state: from } = record;
  const unknown = { id, name, from, outcome: "unknown", to: null, reason: "another_program" } as const;
  if (dry || ctx.queue.busy(id)) return unknown;
  const found = await strangers();
  const bound = await ctx.queue.run(id, async () => {
    const current = await findSession(ctx, id);
    return isTheirs(current) ? bindTheirs(ctx, current, found) : current;
  });
  return bound === null ? unknown : { id, name, outcome: "found", from, to: bound.state, reason: "another_program" };
}

interface ChangeTask {
  readonly step: SessionStep;
  readonly task: () => Promise<SessionRecord | "unknown">;
  /** The resulting state, as far as known beforehand. */
  readonly expected: SessionState | null;
  readonly reason: string;
}

async function changed({ ctx, dry }: Apply, { step, task, expected, reason }: ChangeTask): Promise<Finding | null> {
  const { id, name, state: from } = step.record;
  const outcome = step.kind === "found" ? "found" : "changed";
  if (dry) return { id, name, outcome, from, to: expected, reason };
  if (ctx.queue.busy(id)) return null;
  const after = await ctx.queue.run(id, task);
  if (after === "unknown") return { id, name, outcome: "unknown", from, to: null, reason };
  return after.state === from && step.kind !== "found" && step.kind !== "finish"
    ? null
    : { id, name, outcome, from, to: after.state, reason };
}

async function finish(ctx: Context, { record, pane }: Extract<SessionStep, { kind: "finish" }>): Promise<SessionRecord | "unknown"> {
  const current = await findSession(ctx, record.id);
  if (current.intent === null) return current;
  const outcome = await finishInterrupted(ctx, { record: current, pane });
  return outcome.kind === "unknown" ? outcome.kind : findSession(ctx, record.id);
}

/** The terminal is proven to exist and to be its session's when the record is changed back. */
async function takeBack(ctx: Context, { record, pane }: Extract<SessionStep, { kind: "found" }>): Promise<SessionRecord> {
  const answer = await ctx.host.find(pane.identity);
  const there = answer.kind === "present" && answer.value.exit === null && answer.value.sessionId === record.id;
  if (!there) return findSession(ctx, record.id);
  return recordChange(ctx, {
    id: record.id,
    reason: "terminal_found",
    change: (current) => (isStill(current, record) ? { type: "found", pane: pane.identity, pid: answer.value.pid } : null),
    also: (current) => ({ auto_resume: current.auto_resume === null ? null : { ...current.auto_resume, next_at: null } }),
  });
}

function isStill(current: SessionRecord, seen: SessionRecord): boolean {
  return current.state === seen.state && current.stop_cause === seen.stop_cause && current.intent === null;
}

async function strangerFinding({ ctx, dry }: Apply, step: StrangerStep): Promise<Finding | null> {
  const { pane } = step;
  if (step.kind === "left") return { id: pane.sessionId, name: pane.tmuxName, outcome: "left", from: null, to: null, reason: step.reason };
  const id = step.kind === "rebuild" ? pane.sessionId : idOfPane(ctx, pane.identity);
  if (id === null) return null;
  const outcome = step.kind === "rebuild" ? "rebuilt" : "adopted";
  const reason = step.kind === "rebuild" ? RECORD_LOST : "external_session";
  const known = await ctx.store.get(id);
  if (known !== null) return step.kind === "rebuild" ? null : leftAsRemoved(pane, id);
  if (dry) return { id, name: pane.tmuxName, outcome, from: null, to: "active", reason };
  try {
    const record = await ctx.queue.run(id, () => adoptOnce(ctx, { pane, id, reason }));
    return record === null ? null : { id, name: record.name, outcome, from: null, to: record.state, reason };
  } catch (error) {
    if (hasCode(error, "PANE_GONE", "PANE_FOREIGN")) return null;
    if (!hasCode(error, "DIRECTORY_NOT_FOUND")) ctx.report({ doing: `adopting tmux session ${pane.tmuxName}`, error });
    const why = hasCode(error, "DIRECTORY_NOT_FOUND") ? error.message : "it could not be adopted";
    return { id: null, name: pane.tmuxName, outcome: "left", from: null, to: null, reason: why };
  }
}

/** A released or removed session is not adopted again automatically. */
function leftAsRemoved(pane: PaneInfo, id: string): Finding {
  return { id, name: pane.tmuxName, outcome: "left", from: null, to: null, reason: "it was released earlier" };
}

/** The record may have been created since the observation, by the caller that opened the terminal. */
async function adoptOnce(ctx: Context, wanted: { readonly pane: PaneInfo; readonly id: string; readonly reason: string }) {
  if ((await ctx.store.get(wanted.id)) !== null) return null;
  return adoptPane(ctx, wanted);
}
