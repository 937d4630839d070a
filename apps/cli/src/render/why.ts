import type { EvidenceAnswer, WhyAnswer } from "@tmpm/api";
import type { View } from "../context.js";
import { age, fromNow } from "./age.js";
import { decisionText } from "./decision.js";
import { oneLine } from "./one-line.js";
import { promptsWait } from "./prompts-wait.js";
import { stateText } from "./state.js";
import { table } from "./table.js";

const HEAD = ["", "AGE", "SOURCE", "SAYS", "WEIGHT", "TIMES", "EVIDENCE"];
/** Columns omitted in this order if space is short: count, weight, source. */
const SPARE = [5, 4, 2];

/** The activity, its evidence, and what would change it. */
export function renderWhy({ session, evidence, would_change, hooks }: WhyAnswer, view: View): string {
  const { now } = view;
  const { activity, decision, hint } = session;
  const percent = Math.round(activity.confidence * 100);
  const head = `${session.name}: ${stateText(session)} for ${age(activity.since, now)}, by ${activity.source} (${percent} %)`;
  const ends = activity.expires_at === null ? [] : [endsLine(activity.expires_at, now)];
  const rows = evidence.map((line) => row(line, now));
  return [
    oneLine(head),
    ...activity.evidence.map((line) => `  ${oneLine(line)}`),
    ...ends,
    ...(decision === null ? [] : [decisionText(decision)]),
    ...turnLines(session, now),
    ...(hint === null ? [] : [oneLine(hint)]),
    hooksLine(hooks, now),
    ...(rows.length === 0 ? [] : [table({ head: HEAD, rows, spare: SPARE, room: 40 }, view)]),
    "what would change it:",
    ...would_change.map((line) => `  ${oneLine(spoken(line, now))}`),
  ].join("\n");
}

/** Exact times, for programs only. */
function spoken(line: string, now: number): string {
  return line.replace(/\b(until|at) (\d{4}-\d\d-\d\dT[\d:.]+Z)/g, (_, word, at) =>
    word === "until" && Date.parse(at) > now ? `for ${fromNow(at, now).slice(3)} more` : fromNow(at, now),
  );
}

function endsLine(at: string, now: number): string {
  const when = fromNow(at, now);
  return Date.parse(at) > now ? `valid for ${when.slice(3)} more` : `it was valid until ${when}`;
}

function turnLines({ turn, queued }: WhyAnswer["session"], now: number): readonly string[] {
  const running =
    turn === null
      ? []
      : [`turn ${turn.id.slice(0, 8)} ${turn.state.replaceAll("_", " ")}${since(turn.started_at, now)}: ${oneLine(turn.prompt)}`];
  const waiting = promptsWait(queued, "it");
  return waiting === null ? running : [...running, waiting];
}

function since(at: string | null, now: number): string {
  return at === null ? "" : ` for ${age(at, now)}`;
}

function row({ decides, last_at, source, state, weight, times, what }: EvidenceAnswer, now: number): readonly string[] {
  return [decides ? "*" : "", age(last_at, now), source, state ?? "-", weight.toFixed(2), String(times), what];
}

function hooksLine({ supported, heard_at }: WhyAnswer["hooks"], now: number): string {
  if (!supported) return "this agent reports no events";
  return heard_at === null ? "the agent has reported nothing to this daemon yet" : `the agent last reported ${age(heard_at, now)} ago`;
}
