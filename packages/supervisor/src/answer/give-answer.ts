import type { AgentAdapter, Decision } from "@tmpm/agents";
import type { SessionRecord } from "@tmpm/core";
import type { AnswerGiven } from "@tmpm/host";
import type { Context } from "../context.js";
import { paneOf } from "../observe/observe.js";
import { type AnswerKeys, keysFor } from "./answer-keys.js";
import {
  noteAnswering,
  notWhole,
  type QuestionOnScreen,
  type SessionDecision,
  type ShownReading,
  seeWhole,
  standingOf,
} from "./on-screen.js";

const MOVES: ReadonlySet<string> = new Set(["Up", "Down", "Left", "Right"]);

/** Whether the key only moves the mark in a list of choices, and decides nothing. */
function isMove(key: string): boolean {
  return MOVES.has(key);
}

/** The position of the mark. The keys of the choices lead there from the mark, so they change with it. */
function markOf({ choices }: Decision): string {
  return JSON.stringify(choices.map(({ keys }) => keys));
}

/**
 * A key that visibly moves the mark, and is harmless in an empty input if the dialog is already gone: `Up` would recall an earlier prompt
 * there.
 */
function probeOf({ choices, markHidden }: Decision): "Down" | null {
  return markHidden !== true && choices.some(({ keys }) => keys?.[0] === "Down") ? "Down" : null;
}

export interface AnswerRequest extends SessionDecision {
  readonly adapter: AgentAdapter;
  readonly given: AnswerGiven;
  /** The question as shown when the answer was requested. */
  readonly reading: ShownReading;
}

export interface GivenAnswer {
  readonly label: string;
  /** Evidence that the question is gone; null while it is shown. */
  readonly evidence: readonly string[] | null;
}

const POLL_MS = 80;

/** How long a key may take to show an effect before the dialog may have ignored it. */
const SHOWS_MS = 400;

/** Maximum number of presses of an ignored key. */
const MOST_PRESSES = 4;

/**
 * Presses the keys of an answer. Some agents draw a dialog before it accepts keys, so the deciding key can be lost. It is pressed again
 * only when provably lost: the question was in every look since, the agent reported nothing since, and a later key that only moves the mark
 * had an effect. An agent reads its keys in order, so the deciding key was read before and did nothing.
 * @throws DECISION_GONE, SESSION_BLOCKED, with nothing decided
 */
export async function giveAnswer(ctx: Context, giving: AnswerRequest): Promise<GivenAnswer> {
  const { label } = keysFor(giving.given, giving);
  const { record } = giving;
  await noteAnswering(ctx, { record, label });
  try {
    const evidence = await untilTaken(ctx, giving);
    if (evidence === null) await noteAnswering(ctx, { record, label: null });
    return { label, evidence };
  } catch (error) {
    await noteAnswering(ctx, { record, label: null });
    throw error;
  }
}

async function untilTaken(ctx: Context, giving: AnswerRequest): Promise<readonly string[] | null> {
  let { reading } = giving;
  for (let presses = 1; ; presses++) {
    const ready = await leadMark(ctx, { ...giving, reading });
    if (ready === null) return null;
    const pressedMs = ctx.clock.now();
    await enter(ctx, { ...giving, keys: keysFor(giving.given, { ...giving, reading: ready }) });
    const pressed: Pressed = { ...giving, reading: ready, pressedMs, deadline: pressedMs + ctx.settings.confirmMs };
    const fate = await fateOf(ctx, { ...pressed, mayRepeat: giving.given.kind !== "text" && presses < MOST_PRESSES });
    if (fate.kind !== "lost") return fate.kind === "gone" ? fate.evidence : null;
    reading = fate.reading;
  }
}

/** Moves the mark to the choice, one step at a time. Null when the dialog does not react; an invisible mark is moved blindly. */
async function leadMark(ctx: Context, giving: AnswerRequest): Promise<ShownReading | null> {
  const deadline = ctx.clock.now() + ctx.settings.confirmMs;
  let { reading } = giving;
  if (reading.decision.markHidden === true) return leadUnseen(ctx, giving);
  for (;;) {
    const [step] = keysFor(giving.given, { ...giving, reading }).keys;
    if (step === undefined || !isMove(step)) return reading;
    if (ctx.clock.now() >= deadline) return null;
    await ctx.host.keys(paneOf(giving.record), [step]);
    reading = await untilMoved(ctx, { ...giving, reading });
  }
}

async function leadUnseen(ctx: Context, giving: AnswerRequest): Promise<ShownReading> {
  const steps = keysFor(giving.given, giving).keys.filter(isMove);
  for (const step of steps) {
    await ctx.host.keys(paneOf(giving.record), [step]);
    await ctx.clock.sleep(POLL_MS);
  }
  if (steps.length === 0) return giving.reading;
  const reading = await seeWhole(ctx, giving);
  if (reading === null) throw notWhole(giving);
  return reading;
}

/** The question with its mark moved, or unchanged when no movement shows in time. */
async function untilMoved(ctx: Context, { reading, ...asked }: AnswerRequest): Promise<ShownReading> {
  const until = ctx.clock.now() + SHOWS_MS;
  for (;;) {
    await ctx.clock.sleep(POLL_MS);
    const now = await seeWhole(ctx, asked);
    if (now !== null && markOf(now.decision) !== markOf(reading.decision)) return now;
    if (ctx.clock.now() < until) continue;
    if (now === null) throw notWhole(asked);
    return now;
  }
}

async function enter(
  ctx: Pick<Context, "clock" | "host">,
  { record, keys }: { readonly record: SessionRecord; readonly keys: AnswerKeys },
): Promise<void> {
  const pane = paneOf(record);
  const deciding = keys.keys.filter((key) => !isMove(key));
  for (const key of deciding) await ctx.host.keys(pane, [key]);
  if (keys.text === null) return;
  if (keys.keys.length > 0) await ctx.clock.sleep(POLL_MS);
  await ctx.host.paste(pane, keys.text);
  await ctx.clock.sleep(POLL_MS);
  await ctx.host.keys(pane, ["Enter"]);
}

interface Pressed extends AnswerRequest {
  readonly pressedMs: number;
  readonly deadline: number;
}

/** The effect of the deciding key. `stands`: the question is still shown, and it is unknown whether the key was read. */
type Fate =
  | Extract<QuestionOnScreen, { kind: "gone" }>
  | { readonly kind: "stands" }
  | { readonly kind: "lost"; readonly reading: ShownReading };

async function fateOf(ctx: Context, pressed: Pressed & { readonly mayRepeat: boolean }): Promise<Fate> {
  const { record, pressedMs, deadline } = pressed;
  let standing = await watch(ctx, { ...pressed, untilMs: Math.min(deadline, pressedMs + SHOWS_MS) });
  while (standing.kind === "stands" && pressed.mayRepeat && ctx.clock.now() < deadline) {
    const { decision } = standing.reading;
    const probe = heardSince(ctx, pressed) ? null : probeOf(decision);
    if (probe === null) break;
    await ctx.host.keys(paneOf(record), [probe]);
    standing = await watch(ctx, { ...pressed, untilMs: ctx.clock.now() + SHOWS_MS, mark: markOf(decision) });
    if (standing.kind !== "stands" || markOf(standing.reading.decision) === markOf(decision)) continue;
    if (!heardSince(ctx, pressed)) return { kind: "lost", reading: standing.reading };
  }
  if (standing.kind !== "gone") standing = await watch(ctx, { ...pressed, untilMs: deadline });
  return standing.kind === "gone" ? standing : { kind: "stands" };
}

interface Watched extends Pressed {
  readonly untilMs: number;
  /** Ends the watch as soon as the mark has moved. */
  readonly mark?: string;
}

/** Looks until the question is gone, its mark has moved, or the time is over. */
async function watch(ctx: Context, { record, reading, untilMs, mark }: Watched): Promise<QuestionOnScreen> {
  for (;;) {
    const standing = await standingOf(ctx, { record, asked: reading.decision });
    if (standing.kind === "gone" || ctx.clock.now() >= untilMs) return standing;
    if (standing.kind === "stands" && mark !== undefined && markOf(standing.reading.decision) !== mark) return standing;
    await ctx.clock.sleep(POLL_MS);
  }
}

/** Whether the agent reported its state since: it may have accepted the key, and ask the same again. */
function heardSince(ctx: Pick<Context, "observations">, { record, pressedMs }: Pressed): boolean {
  const { edge } = ctx.observations.known(record.id).track;
  return edge !== null && edge.atMs >= pressedMs;
}
