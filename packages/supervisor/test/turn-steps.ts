import type { EventBody } from "@tmpm/core";
import type { Supervisor, TurnFacts } from "../src/index.js";
import { type TurnFixture, turnFixture } from "./turn-agent.js";

const WAIT_MS = 600_000;

export async function demo(options: Parameters<typeof turnFixture>[0] = {}): Promise<TurnFixture> {
  const each = turnFixture(options);
  await each.open("demo");
  return each;
}

export const submit = ({ sessions }: { readonly sessions: Supervisor }, prompt: string, session = "demo") =>
  sessions.submit({ session, prompt, queue: true });

export async function outcome(sessions: Supervisor, { turn }: TurnFacts): Promise<TurnFacts["turn"]> {
  return (await sessions.turn({ session: turn.session_id, turn: turn.id, wait_ms: WAIT_MS })).turn;
}

/** Polls as a caller would, until it is in this state. */
export async function until(sessions: Supervisor, { turn }: TurnFacts, state: TurnFacts["state"]): Promise<TurnFacts> {
  for (let look = 0; look < 2_000; look++) {
    const now = await sessions.turn({ session: turn.session_id, turn: turn.id, wait_ms: 20 });
    if (now.state === state) return now;
    await sessions.sends({ session: turn.session_id });
  }
  throw new Error(`the turn was never ${state}`);
}

export const brief = ({ outcome: is, cause, reason }: TurnFacts["turn"]) => [is, cause, reason];
export const endedTurns = ({ events }: { readonly events: readonly EventBody[] }) =>
  events.flatMap((event) => (event.type === "turn_ended" ? [event] : []));
