import type { EvidenceAnswer, WhyAnswer } from "@tmpm/api";
import type { View } from "../context.js";
import { age } from "./age.js";
import { columns, oneLine } from "./columns.js";
import { decisionText } from "./decision.js";
import { stateText } from "./state.js";

const HEAD = ["", "AGE", "SOURCE", "SAYS", "WEIGHT", "TIMES", "EVIDENCE"];

/** The belief, what was seen and heard, and what would change it. */
export function renderWhy({ session, evidence, would_change, hooks }: WhyAnswer, { now }: View): string {
  const { activity, decision, hint } = session;
  const percent = Math.round(activity.confidence * 100);
  const head = `${session.name}: ${stateText(session)} since ${age(activity.since, now)} ago, by ${activity.source} (${percent} %)`;
  const ends = activity.expires_at === null ? [] : [`believed until ${activity.expires_at}`];
  const table = evidence.length === 0 ? [] : [columns([HEAD, ...evidence.map((line) => row(line, now))])];
  return [
    oneLine(head),
    ...activity.evidence.map((line) => `  ${oneLine(line)}`),
    ...ends,
    ...(decision === null ? [] : [decisionText(decision)]),
    ...turnLines(session, now),
    ...(hint === null ? [] : [oneLine(hint)]),
    hooksLine(hooks, now),
    ...table,
    "what would change it:",
    ...would_change.map((line) => `  ${oneLine(line)}`),
  ].join("\n");
}

function turnLines({ turn, queued }: WhyAnswer["session"], now: number): readonly string[] {
  const running =
    turn === null
      ? []
      : [`turn ${turn.id.slice(0, 8)} ${turn.state.replaceAll("_", " ")}${since(turn.started_at, now)}: ${oneLine(turn.prompt)}`];
  return [...running, ...(queued === 0 ? [] : [`${queued} ${queued === 1 ? "prompt waits" : "prompts wait"} for it`])];
}

function since(at: string | null, now: number): string {
  return at === null ? "" : ` for ${age(at, now)}`;
}

function row({ decides, last_at, source, state, weight, times, what }: EvidenceAnswer, now: number): readonly string[] {
  return [decides ? "*" : "", age(last_at, now), source, state ?? "-", weight.toFixed(2), String(times), what];
}

function hooksLine({ supported, heard_at }: WhyAnswer["hooks"], now: number): string {
  if (!supported) return "this agent reports no events";
  return heard_at === null ? "the agent has reported nothing yet" : `the agent last reported ${age(heard_at, now)} ago`;
}
