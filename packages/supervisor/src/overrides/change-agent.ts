import type { AgentAdapter, LiveOutcome, LivePlan } from "@tmpm/agents";
import { type Applied, hasCode, type OverrideField, type SessionOverrides, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { clearInput } from "../delivery/interrupt-first.js";
import { pasteOnce, submitTyped } from "../delivery/type-text.js";
import { findSession } from "../find-session.js";
import { paneOf, readScreen, type ScreenReading } from "../observe/observe.js";
import { UNANSWERED } from "../unanswered.js";

export interface ChangeRequest {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly fields: readonly OverrideField[];
  readonly before: SessionOverrides;
  readonly after: SessionOverrides;
}

export interface LiveChange {
  readonly applied: Readonly<Partial<Record<OverrideField, Applied>>>;
  /** Why a field waits for the next launch although the agent accepts live changes, with the evidence. */
  readonly notes: readonly string[];
}

const OUTCOME_MS = 20_000;
const POLL_MS = 100;
const CONFIRMATIONS = 3;

/**
 * Applies changes to a running, idle agent, one after another, where it has a command for them. If it rejects one, the earlier ones are
 * reverted.
 * @throws INVALID_ARGUMENT with the agent's own words, and errors of the driver with nothing typed
 */
export async function changeAgent(ctx: Context, request: ChangeRequest): Promise<LiveChange> {
  const { fields, adapter, after, before } = request;
  const applied: Partial<Record<OverrideField, Applied>> = {};
  const notes: string[] = [];
  for (const field of fields) {
    const result = await changeOne(ctx, { ...request, field, value: after[field] ?? null });
    if (result.kind === "refused") {
      for (const done of fields)
        if (applied[done] === "live") await changeOne(ctx, { ...request, field: done, value: before[done] ?? null });
      throw new TmpmError(
        "INVALID_ARGUMENT",
        `${adapter.title} refused the ${field} ${String(after[field] ?? "default")}: ${result.message}`,
        {
          details: { field, value: after[field] ?? null },
        },
      );
    }
    applied[field] = result.kind === "applied" ? "live" : "next_launch";
    if (result.kind === "later" && result.why !== null) notes.push(`${field}: ${result.why}`);
  }
  return { applied, notes };
}

type Result =
  | { readonly kind: "applied" }
  | { readonly kind: "refused"; readonly message: string }
  /** `why` is null for an agent without live changes. */
  | { readonly kind: "later"; readonly why: string | null };

async function changeOne(
  ctx: Context,
  of: ChangeRequest & { readonly field: OverrideField; readonly value: string | number | null },
): Promise<Result> {
  const { record, adapter, field, value } = of;
  const { pane } = record;
  const conversation = record.state !== "active" || pane === null ? null : ctx.host.conversation(pane);
  if (pane !== null && conversation !== null) return ctx.queue.run(record.id, () => conversation.set(pane, { field, value }));
  const env = { ...ctx.settings.sessionEnv, ...(await ctx.launchEnvs.of(record.id)) };
  const plan = record.state === "active" ? (adapter.overrides?.live?.({ field, value, env }) ?? null) : null;
  if (plan === null) return { kind: "later", why: null };
  const type = () => ctx.queue.run(record.id, () => typeCommand(ctx, { id: record.id, adapter, plan }));
  // Two at a time would each mistake the other's settings for the user's own.
  return plan.spill === undefined ? type() : ctx.queues.overriding.run(plan.spill.path, type);
}

interface Commanding {
  readonly id: string;
  readonly adapter: AgentAdapter;
  readonly plan: LivePlan;
}

/** For a caller that holds the session's queue. */
async function typeCommand(ctx: Context, { id, adapter, plan }: Commanding): Promise<Result> {
  const record = await findSession(ctx, id);
  const why = standing(ctx, record);
  if (why !== null) return { kind: "later", why };
  const before = await readScreen(ctx, { record, adapter });
  if (!isAtRest(before)) return { kind: "later", why: `${adapter.title} is not idle; set it again once it is, or restart the session` };
  const spilled = await spillOf(ctx, plan);
  const typing = { record, adapter, text: plan.command, asCommand: true, entering: async () => undefined };
  const pasted = await pasteOnce(ctx, typing);
  const verdict = await submitTyped(ctx, { ...typing, before, pasted });
  const isRemoved = await removeTyped(ctx, { record, adapter, left: verdict.left ?? "" });
  if (isRemoved) return { kind: "later", why: `${plan.command} was not accepted, and was removed: ${verdict.evidence.join("; ")}` };
  if (verdict.outcome === "typed_not_submitted")
    return { kind: "later", why: `its command is still in the input: ${verdict.evidence.join("; ")}` };
  const seen = await untilAnswered(ctx, { record, adapter, plan });
  await spilled.undo();
  ctx.requests.sweep.notify();
  if (seen === null) await closeDialog(ctx, { record, adapter });
  if (seen === null) return { kind: "later", why: `the result of ${plan.command} is unknown; check with \`tmpm capture ${record.name}\`` };
  return seen;
}

/** A command of ours still in the input would block later texts. */
async function removeTyped(
  ctx: Context,
  { record, adapter, left }: Pick<Commanding, "adapter"> & { readonly record: SessionRecord; readonly left: string },
): Promise<boolean> {
  if (left === "" || adapter.clears !== true) return false;
  const { reading } = await readScreen(ctx, { record, adapter });
  return reading.draft === left && (await clearInput(ctx, { record, adapter })) !== null;
}

function standing(ctx: Pick<Context, "deliveries" | "turns">, { id, name, state, paused_at }: SessionRecord): string | null {
  if (state !== "active") return `session ${name} is not running`;
  if (paused_at !== null) return `session ${name} is paused`;
  return ctx.deliveries.of(id).length === 0 && ctx.turns.lane(id).open.length === 0
    ? null
    : "a prompt is in progress; set it again after its turn, or restart the session";
}

function isAtRest({ reading, pane }: ScreenReading): boolean {
  return pane.exit === null && !pane.inMode && reading.draft === "" && (reading.state === "idle" || reading.state === "errored");
}

interface Waiting {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly plan: LivePlan;
}

/** The outcome on the screen; a confirmation dialog is accepted. Null when nothing shows in time. */
async function untilAnswered(ctx: Context, waiting: Waiting): Promise<Exclude<Result, { kind: "later" }> | null> {
  const deadline = ctx.clock.now() + OUTCOME_MS;
  let confirmed = 0;
  while (ctx.clock.now() < deadline) {
    const said = await outcomeNow(ctx, waiting);
    if (said?.kind === "applied") return { kind: "applied" };
    if (said?.kind === "refused") return said;
    if (said?.kind === "asks" && confirmed < CONFIRMATIONS) {
      confirmed += 1;
      await ctx.host.keys(paneOf(waiting.record), said.keys);
      await ctx.clock.sleep(5 * POLL_MS);
    }
    await ctx.clock.sleep(POLL_MS);
  }
  return null;
}

/** An unknown dialog opened by our own command is closed again. */
async function closeDialog(ctx: Context, { record, adapter }: Pick<Waiting, "record" | "adapter">): Promise<void> {
  const { reading } = await readScreen(ctx, { record, adapter });
  const asks = reading.state === "blocked" || reading.state === "awaiting_approval" || reading.state === "awaiting_input";
  if (asks) await ctx.host.keys(paneOf(record), ["Escape"]);
}

async function outcomeNow(ctx: Context, { record, adapter, plan }: Waiting): Promise<LiveOutcome | null> {
  try {
    return plan.outcome((await readScreen(ctx, { record, adapter })).observation);
  } catch (error) {
    if (hasCode(error, ...UNANSWERED, "RESOURCE_EXHAUSTED")) return null;
    throw error;
  }
}

/** Saves the user's own settings from before the command, which concerns this session only. */
async function spillOf(ctx: Pick<Context, "report" | "seed">, { spill }: LivePlan): Promise<{ undo(): Promise<void> }> {
  if (spill === undefined) return { undo: async () => undefined };
  const { path, undone } = spill;
  let before: string | null = null;
  let known = false;
  const visit = async (merge: (current: string | null) => string | null) => {
    try {
      await ctx.seed([{ path, merge }]);
    } catch (error) {
      ctx.report({ doing: `keeping ${path} as it was`, error });
    }
  };
  await visit((current) => {
    before = current;
    known = true;
    return null;
  });
  return { undo: async () => (known ? visit((now) => undone(before, now)) : undefined) };
}
