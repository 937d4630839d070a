import { type CrashOptions, type CrashState, crashStates } from "./crash-states.js";
import { ABSENT, type Operation } from "./operation.js";
import type { Found } from "./read-back.js";

/** The findings for the states of one log. */
export interface Report {
  readonly states: number;
  /** States in which a session is damaged, or has a value that it never had. */
  readonly torn: readonly string[];
  /** States in which a session is older than what was acknowledged. */
  readonly lost: readonly string[];
}

export interface ExamineOptions extends CrashOptions {
  readonly read: (state: CrashState) => Promise<Found>;
  /** Stops after this many bad states. */
  readonly enough: number;
}

/** Reads back every state that a crash can leave, and compares it with the writes acknowledged by then. */
export async function examine(log: readonly Operation[], options: ExamineOptions): Promise<Report> {
  const { read, enough } = options;
  const torn: string[] = [];
  const lost: string[] = [];
  const ever = outcomesEver(log);
  let states = 0;
  let allowed = allowedAfter(log, 0);
  let after = 0;
  for (const state of crashStates(log, options)) {
    states++;
    if (state.after !== after) {
      after = state.after;
      allowed = allowedAfter(log, after);
    }
    const found = await read(state);
    for (const [id, outcomes] of ever) {
      const outcome = found.get(id) ?? ABSENT;
      if (allowed.get(id)?.has(outcome) === true) continue;
      (outcomes.has(outcome) ? lost : torn).push(describeState(state, { id, outcome }));
    }
    for (const [id, outcome] of found) if (!ever.has(id)) torn.push(describeState(state, { id, outcome }));
    if (torn.length + lost.length >= enough) break;
  }
  return { states, torn, lost };
}

function outcomesEver(log: readonly Operation[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const operation of log) {
    if (operation.type !== "begin") continue;
    const { id, outcome } = operation.change;
    all.set(id, (all.get(id) ?? new Set([ABSENT])).add(outcome));
  }
  return all;
}

/** The last acknowledged and the later requested outcomes of each session. */
function allowedAfter(log: readonly Operation[], count: number): ReadonlyMap<string, ReadonlySet<string>> {
  const allowed = new Map<string, Set<string>>();
  for (const operation of log) if (operation.type === "begin") allowed.set(operation.change.id, new Set([ABSENT]));
  for (const operation of log.slice(0, count)) {
    if (operation.type === "begin") allowed.get(operation.change.id)?.add(operation.change.outcome);
    if (operation.type === "acknowledge") allowed.set(operation.change.id, new Set([operation.change.outcome]));
  }
  return allowed;
}

function describeState({ after, crash, files }: CrashState, { id, outcome }: { readonly id: string; readonly outcome: string }): string {
  return `${crash} after ${after} operations: ${id} is ${outcome.slice(0, 80)}; ${files.map(({ path, key }) => `${path}=${key}`).join(" ")}`;
}
