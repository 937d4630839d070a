import { setTimeout as sleep } from "node:timers/promises";
import type { ScreenAnswer, SessionAnswer, TurnAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core";
import type { Recorder } from "./recorder.js";

export interface TrialOptions {
  readonly client: Client;
  /** Its id. The session was created just before. */
  readonly session: string;
  readonly prompt: string;
  /** Null for an agent without a terminal. */
  readonly recorder: Recorder | null;
  /** Time limit of each step, in ms. */
  readonly stepMs: number;
  /** Ends the trial with its reason. */
  readonly signal: AbortSignal;
}

export interface Step {
  readonly step: "start" | "prompt" | "answer";
  readonly ok: boolean;
  /** The observation, as text. */
  readonly seen: string;
}

export interface Trial {
  readonly steps: readonly Step[];
  /** The recognized states, in order. */
  readonly states: readonly string[];
}

const EVERY_MS = 150;

/** States that need the user to continue. */
const AT_REST: ReadonlySet<string> = new Set(["idle", "errored", "awaiting_approval", "awaiting_input", "blocked", "exited"]);

/** Waits until the agent is ready, sends it a prompt and waits for its answer, capturing screens throughout. */
export async function trial(options: TrialOptions): Promise<Trial> {
  const { client, session, signal } = options;
  const states: string[] = [];
  const steps: Step[] = [];
  const note = (session: SessionAnswer) => {
    if (states.at(-1) !== session.activity.state) states.push(session.activity.state);
  };
  const ready = await watch({ ...options, note }, async ({ activity }) => AT_REST.has(activity.state));
  steps.push({ step: "start", ok: ready?.activity.state === "idle", seen: stateWords(ready) });
  if (ready?.activity.state !== "idle") return { steps, states };

  const { turn, step } = await begun(options);
  steps.push(step);
  if (turn === null) return { steps, states };

  let ended: TurnAnswer = turn;
  const after = await watch({ ...options, note }, async ({ activity }) => {
    ended = await client.turn({ session, turn: turn.id }, { signal });
    return ended.state === "ended" || (ended.state === "waiting_approval" && AT_REST.has(activity.state)) || activity.state === "blocked";
  });
  const [receipt] = (await client.sends({ session }, { signal })).sends;
  const delivery = receipt === undefined ? [] : [`${receipt.receipt.outcome}: ${receipt.receipt.evidence.join("; ")}`];
  steps[1] = { ...step, ok: receipt?.receipt.outcome === "submitted", seen: delivery.join("") || step.seen };
  steps.push({ step: "answer", ok: ended.outcome === "completed", seen: outcomeWords(ended, after) });
  return { steps, states };
}

async function begun({
  client,
  session,
  prompt,
  stepMs,
  signal,
}: TrialOptions): Promise<{ readonly turn: TurnAnswer | null; readonly step: Step }> {
  try {
    const turn = await client.submit({ session, prompt, timeout_ms: stepMs }, { signal });
    return { turn, step: { step: "prompt", ok: true, seen: "taken" } };
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return { turn: null, step: { step: "prompt", ok: false, seen: error.message } };
  }
}

type Watching = TrialOptions & { readonly note: (session: SessionAnswer) => void };

/** Polls the session until the condition holds; null on timeout. Every new screen is recorded. */
async function watch(
  { client, session, recorder, stepMs, signal, note }: Watching,
  so: (session: SessionAnswer) => Promise<boolean>,
): Promise<SessionAnswer | null> {
  const until = performance.now() + stepMs;
  for (;;) {
    const screen: ScreenAnswer | null = recorder === null ? null : await client.capture({ session }, { signal });
    const seen = await client.show({ session }, { signal });
    note(seen);
    if (screen !== null) recorder?.record({ screen, state: seen.activity.state });
    if (await so(seen)) return seen;
    if (performance.now() > until) return null;
    await sleep(EVERY_MS, undefined, { signal });
  }
}

function stateWords(session: SessionAnswer | null): string {
  if (session === null) return "not ready in time";
  const { activity, hint } = session;
  return [`${activity.state}: ${activity.evidence.join("; ")}`, ...(hint === null ? [] : [hint])].join(". ");
}

function outcomeWords({ outcome, state, final_message: words }: TurnAnswer, session: SessionAnswer | null): string {
  if (session === null) return "did not end in time";
  if (outcome === null) return `${state}: ${stateWords(session)}`;
  return `${outcome}, ${words === null ? "and its last message was not read" : `last words ${JSON.stringify(words.slice(0, 200))}`}`;
}
