import type { Turn } from "@tmpm/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Supervisor } from "../../src/index.js";
import { type TurnFixture, turnFixture } from "../fixtures/turn-agent.js";

const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const SEED = Number(process.env.TMPM_TEST_SEED ?? 1);
const RUNS = SCALE >= 10 ? 300 : 12;

/** A caller's action on the session, or a fault. */
const ACTIONS = [
  "submit",
  "submit",
  "submit briefly",
  "send",
  "break off",
  "cancel",
  "cancel an old one",
  "clear",
  "pass",
  "pass",
  "stop and resume",
  "restart",
  "disconnect",
  "restart daemon",
  "kill daemon",
  "exit and resume",
] as const;

type Action = (typeof ACTIONS)[number];

interface Life {
  readonly each: TurnFixture;
  sessions: Supervisor;
  prompts: number;
  /** The text of every accepted prompt. */
  readonly accepted: string[];
  /** Requested actions that end turns. */
  readonly done: Set<string>;
}

const DURATIONS = [10, 400, 3_000, 60_000];

/** Errors that a caller may get; the outcome of an accepted prompt is in its turn. */
async function quietly(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => error);
}

async function act(life: Life, action: Action): Promise<void> {
  const { each, sessions } = life;
  const session = "demo";
  const prompt = () => {
    const text = `work ${DURATIONS[life.prompts % DURATIONS.length]} #${++life.prompts}`;
    life.accepted.push(text);
    return text;
  };
  life.done.add(action);
  switch (action) {
    case "submit":
      return void (await sessions.submit({ session, prompt: prompt(), queue: true }));
    case "submit briefly":
      return void (await sessions.submit({ session, prompt: prompt(), timeout_ms: 1_000 }));
    case "send":
      return void (await quietly(sessions.send({ session, text: prompt(), timeout_ms: 500 })));
    case "break off":
      return void (await quietly(sessions.send({ session, text: prompt(), interrupt: true, timeout_ms: 500 })));
    case "cancel":
      return void (await quietly(sessions.cancel({ session })));
    case "cancel an old one": {
      const [old] = await sessions.turns({ session, limit: 3 });
      return old === undefined ? undefined : void (await quietly(sessions.cancel({ session, turn: old.turn.id })));
    }
    case "clear":
      return void (await sessions.clearQueue({ session }));
    case "pass":
      return void (await quietly(sessions.wait({ session, until: "idle", timeout_ms: 2_000 })));
    case "stop and resume":
      await sessions.stop({ session });
      return void (await sessions.resume({ session }));
    case "restart":
      return void (await sessions.restart({ session }));
    case "disconnect": {
      const caller = new AbortController();
      const sending = quietly(sessions.send({ session, text: prompt(), timeout_ms: 60_000, signal: caller.signal }));
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      caller.abort();
      return void (await sending);
    }
    case "restart daemon":
      await sessions.close();
      life.sessions = each.restarted();
      return;
    case "kill daemon": {
      const dying = new Error("killed");
      each.onStep(() => {
        throw dying;
      });
      await quietly(sessions.send({ session, text: prompt(), no_wait: true }));
      await new Promise(setImmediate);
      await quietly(sessions.close());
      each.onStep(null);
      life.sessions = each.restarted();
      return;
    }
    case "exit and resume":
      each.tmux.exit("tmpm-demo", 1);
      await quietly(sessions.wait({ session, until: "exited", timeout_ms: 1_000 }));
      return void (await sessions.resume({ session }));
  }
}

/** Possible events that ended a turn with this cause. */
const BY: Readonly<Record<string, readonly Action[]>> = {
  client_rpc: ["cancel", "cancel an old one", "clear", "disconnect"],
  admin_kill: ["stop and resume", "restart"],
  superseded: ["break off"],
};

async function settle({ sessions }: Life): Promise<readonly Turn[]> {
  for (let round = 0; round < 5_000; round++) {
    const { running, waiting } = await sessions.queue({ session: "demo" });
    if (running.length + waiting.length === 0) break;
    const [first] = [...running, ...waiting];
    if (first !== undefined) await sessions.turn({ session: "demo", turn: first.turn.id, wait_ms: 10_000 });
  }
  return (await sessions.turns({ session: "demo" })).map(({ turn }) => turn);
}

async function live(script: readonly Action[]): Promise<void> {
  const each = turnFixture();
  await each.open("demo");
  const life: Life = { each, sessions: each.sessions, prompts: 0, accepted: [], done: new Set() };
  for (const action of script) await act(life, action);
  const turns = await settle(life);
  await life.sessions.close();
  const reported = each.events.flatMap((event) => (event.type === "turn_ended" ? [event] : []));
  for (const turn of turns) {
    expect([turn.prompt, turn.state]).toEqual([turn.prompt, "ended"]);
    const outcomes = reported.filter(({ turn_id }) => turn_id === turn.id).map(({ outcome, cause }) => [outcome, cause]);
    expect([turn.prompt, outcomes]).toEqual([turn.prompt, [[turn.outcome, turn.cause]]]);
    expect(turn.cause === null, turn.prompt).toBe(turn.outcome !== "cancelled");
    if (turn.cause !== null)
      expect(
        BY[turn.cause]?.some((action) => life.done.has(action)),
        `${turn.prompt} ${turn.cause}`,
      ).toBe(true);
    const times = each.taken.filter((prompt) => prompt === turn.prompt).length;
    // Whether text was accepted is unknown if it was typed when its agent or its daemon ended.
    if (turn.outcome === "completed") expect([turn.prompt, times]).toEqual([turn.prompt, 1]);
    else if (turn.reason === "taken_back" || turn.reason === "waited_too_long") expect([turn.prompt, times]).toEqual([turn.prompt, 0]);
    else expect(times, turn.prompt).toBeLessThanOrEqual(1);
  }
  expect(turns.map(({ prompt }) => prompt)).toEqual(life.accepted);
  expect(await each.turnJournal.open()).toEqual([]);
}

test(`${RUNS} random lives of a whole session: no turn is lost, duplicated or attributed to another cause`, {
  timeout: 600_000,
}, async () => {
  console.log(`turns: seed ${SEED}, ${RUNS} runs`);
  const script = fc.array(fc.constantFrom(...ACTIONS), { maxLength: 12, size: "max" });
  await fc.assert(fc.asyncProperty(script, live), { seed: SEED, numRuns: RUNS });
});
