import type { RemoveAnswer, SessionAnswer, StopAnswer } from "@tmpm/api";
import { ERRORS, type ErrorCode, hasCode, isTmpmError, TmpmError, toErrorBody, visibleText } from "@tmpm/core";
import { errorLines } from "../render/error.js";
import { workspaceEndNotes } from "../render/workspace-end.js";

/** The outcome for one of several sessions. */
export type Outcome = { readonly answer: Ended } | { readonly error: TmpmError };

/** Responses of operations that end programs contain lists of processes and terminals. */
type Ended = SessionAnswer & Partial<Pick<StopAnswer, "survivors" | "left_alone"> & Pick<RemoveAnswer, "workspace_end">>;

/** No other session can be asked for after these. */
const UNREACHABLE = ["DAEMON_UNREACHABLE", "DAEMON_VERSION", "NODE_OFFLINE"] as const;

/** Applies an operation to each session, one after the other. Continues after a failure, unless the daemon does not answer; the others are then reported as not tried. */
export async function eachSession(sessions: readonly string[], act: (session: string) => Promise<Ended>): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const named = [...new Set(sessions)];
  for (const [index, session] of named.entries()) {
    const outcome = await outcomeOf(() => act(session));
    outcomes.push(outcome);
    if (!("error" in outcome) || !hasCode(outcome.error, ...UNREACHABLE)) continue;
    const { code } = outcome.error;
    return [...outcomes, ...named.slice(index + 1).map((rest) => ({ error: notTried(rest, code) }))];
  }
  return outcomes;
}

function notTried(session: string, code: ErrorCode): TmpmError {
  return new TmpmError(code, `${session}: not tried`, { effect: "none", details: { session } });
}

/** One line per session: the daemon's response, or the error. */
export function outcomesJson(outcomes: readonly Outcome[]): string {
  return outcomes.map((outcome) => JSON.stringify("answer" in outcome ? outcome.answer : { error: toErrorBody(outcome.error) })).join("\n");
}

export function outcomeNotes(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap((outcome) => {
    if ("error" in outcome) return errorLines(outcome.error);
    const { name, survivors = [], left_alone = null, workspace_end = null } = outcome.answer;
    return [
      ...(survivors.length === 0 ? [] : [`${visibleText(name)}: these processes did not end: ${survivors.join(", ")}`]),
      ...(left_alone === null ? [] : [leftAloneNote(name, left_alone)]),
      ...(workspace_end === null ? [] : workspaceEndNotes(name, workspace_end)),
    ];
  });
}

/** Parts that were left unchanged. */
export function leftAloneNote(name: string, why: string): string {
  return visibleText(`${name}: left alone: ${why}`);
}

/** The status of the first failure. */
export function outcomesExit(outcomes: readonly Outcome[]): number {
  const codes = outcomes.map((outcome) => {
    if ("error" in outcome) return ERRORS[outcome.error.code].exit;
    return (outcome.answer.survivors ?? []).length === 0 ? 0 : ERRORS.SURVIVORS.exit;
  });
  return codes.find((code) => code !== 0) ?? 0;
}

export function outcomesText(outcomes: readonly Outcome[], verb: string): string {
  return outcomes.flatMap((outcome) => ("answer" in outcome ? [`${visibleText(outcome.answer.name)}: ${verb}`] : [])).join("\n");
}

async function outcomeOf(act: () => Promise<Ended>): Promise<Outcome> {
  try {
    return { answer: await act() };
  } catch (error) {
    if (isTmpmError(error)) return { error };
    throw error;
  }
}
