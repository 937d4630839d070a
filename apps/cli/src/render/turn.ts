import type { QueueAnswer, TurnAnswer, TurnList } from "@tmpm/api";
import { ERRORS, type ErrorCode, SEND_REASONS, TURN_REASONS, visibleText } from "@tmpm/core";
import type { View } from "../context.js";
import { age } from "./age.js";
import { oneLine } from "./one-line.js";
import { table } from "./table.js";

const HEAD = ["NO", "TURN", "STATE", "AGE", "TOOK", "PROMPT"];
/** Columns omitted in this order if space is short: age, duration, number. */
const SPARE = [3, 4, 0];

type TurnView = Pick<View, "now" | "terminal">;

/** A table of turns, in the given order. */
export function turnTable(turns: readonly TurnAnswer[], view: TurnView): string {
  return table({ head: HEAD, rows: turns.map((turn) => row(turn, view.now)), spare: SPARE }, view);
}

export function renderTurns({ turns }: TurnList, view: TurnView): string {
  return turns.length === 0 ? "" : turnTable(turns, view);
}

/** The running turn, the queued ones, and the length of the queue. */
export function renderQueue({ running, waiting, depth, limit }: QueueAnswer, view: TurnView): string {
  if (depth === 0) return "";
  return [turnTable([...running, ...waiting], view), `${depth} of ${limit}`].join("\n");
}

/** A turn's outcome, in one line. */
export function turnLine(name: string, turn: TurnAnswer, { now }: Pick<View, "now">): string {
  const { state, position, held, id } = turn;
  const word = id.slice(0, 8);
  if (state === "ended")
    return oneLine(`${name}: turn ${word} ${stateOf(turn)}${because(turn)}${after(turn, now)}${turn.note ? `; ${turn.note}` : ""}`);
  const place = position === null ? "" : `, ${position === 1 ? "next" : `number ${position}`} in the queue`;
  const why = held === null ? "" : `: ${lowerFirst(SEND_REASONS[held.reason].title)}`;
  return oneLine(`${name}: turn ${word} ${stateOf(turn)}${place}${why}`);
}

/** The complete turn: the line, the prompt, the agent's last message, and the next step. */
export function renderTurn(name: string, turn: TurnAnswer, view: TurnView): string {
  const tokens = turn.tokens === null ? [] : [`tokens of the conversation: ${turn.tokens}`];
  return [
    turnLine(name, turn, view),
    "prompt:",
    ...indented(turn.prompt),
    ...(turn.prompt_bytes > new TextEncoder().encode(turn.prompt).length ? [`  … ${turn.prompt_bytes} bytes in total`] : []),
    ...(turn.final_message === null ? [] : ["final message:", ...indented(turn.final_message)]),
    ...tokens,
  ].join("\n");
}

/** The exit status for a turn that waits for an answer. */
const ASKS_EXIT = 8;

/** Exit status by outcome: 0 for completed, 4 for cancelled, the status of its code for failed; 8 while the agent asks a question. */
export function turnExit({ state, outcome, code }: Pick<TurnAnswer, "state" | "outcome" | "code">): number {
  if (state === "waiting_approval") return ASKS_EXIT;
  if (outcome === "cancelled") return ERRORS.TURN_NOT_ACTIVE.exit;
  return outcome === "failed" ? ERRORS[isCode(code) ? code : "INTERNAL"].exit : 0;
}

/** The agent's last message; the turn's line without one. */
export function finalText(name: string, turn: TurnAnswer, view: TurnView): string {
  return turn.final_message === null ? turnLine(name, turn, view) : visibleText(turn.final_message);
}

function row(turn: TurnAnswer, now: number): readonly string[] {
  const prompt = turn.prompt.split("\n", 1)[0] ?? "";
  return [String(turn.generation), turn.id.slice(0, 8), stateOf(turn), age(turn.accepted_at, now), took(turn, now), prompt];
}

function stateOf({ state, outcome }: TurnAnswer): string {
  return (outcome ?? state).replaceAll("_", " ");
}

function because({ outcome, cause, reason, confirmed, code }: TurnAnswer): string {
  if (outcome === "completed" && reason === "ready") return "";
  const by = cause === null ? (code === null ? "" : ` (${code})`) : ` by ${cause}${confirmed === false ? ", not confirmed" : ""}`;
  return `${by}${reason === null ? "" : `: ${lowerFirst(TURN_REASONS[reason].title)}`}`;
}

function took({ started_at, ended_at }: TurnAnswer, now: number): string {
  return started_at === null ? "-" : age(started_at, ended_at === null ? now : Date.parse(ended_at));
}

function after(turn: TurnAnswer, now: number): string {
  return turn.started_at === null ? "" : `, after ${took(turn, now)}`;
}

function indented(text: string): readonly string[] {
  return visibleText(text)
    .split("\n")
    .map((line) => `  ${line}`);
}

function isCode(code: string | null): code is ErrorCode {
  return code !== null && Object.hasOwn(ERRORS, code);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
