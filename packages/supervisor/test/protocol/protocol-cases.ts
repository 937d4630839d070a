import { expect } from "vitest";
import type { TurnFacts } from "../../src/index.js";
import { brief, endedTurns, outcome, submit } from "../fixtures/turn-steps.js";
import { eventually, type SpokenCase, type SpokenFixture, script } from "./protocol-fixture.js";

const ASKING = script({ ask: ["make"] });
const FOR_EVER = script({ slowMs: 600_000 });

async function reaches({ fixture }: SpokenFixture, { turn }: TurnFacts, state: TurnFacts["state"]): Promise<TurnFacts> {
  const now = () => fixture.sessions.turn({ session: turn.session_id, turn: turn.id });
  await eventually(async () => (await now()).state).toBe(state);
  return now();
}

/** A turn that runs indefinitely. */
async function running(hostFixture: SpokenFixture, prompt = FOR_EVER): Promise<TurnFacts> {
  return reaches(hostFixture, await submit(hostFixture.fixture, prompt), "running");
}

/** A turn that was started, and may have ended. */
async function begun({ fixture }: SpokenFixture, prompt: string): Promise<TurnFacts> {
  const turn = await submit(fixture, prompt);
  await eventually(() => fixture.events.some((event) => event.type === "turn_started" && event.turn_id === turn.turn.id)).toBe(true);
  return turn;
}

const ended = async ({ fixture }: SpokenFixture, turn: TurnFacts) => brief(await outcome(fixture.sessions, turn));
const prompts = async (hostFixture: SpokenFixture) =>
  (await hostFixture.lines()).filter((line) => line.startsWith("> ")).map((line) => line.slice(2));

const TURNS: readonly SpokenCase[] = [
  {
    title: "a pause holds the queue and ends no turn, and cancels one turn or all with nothing sent of them",
    async run(hostFixture) {
      const first = await reaches(hostFixture, await submit(hostFixture.fixture, ASKING), "waiting_approval");
      await hostFixture.fixture.sessions.pause({ session: "demo" });
      const waiting = [
        await submit(hostFixture.fixture, "one"),
        await submit(hostFixture.fixture, "two"),
        await submit(hostFixture.fixture, "three"),
      ] as const;
      await hostFixture.fixture.sessions.answer({ session: "demo", decision_id: first.decision_id ?? "", answer: { kind: "approve" } });
      expect((await ended(hostFixture, first))[0]).toBe("completed");
      expect((await hostFixture.fixture.sessions.turn({ session: "demo", turn: waiting[0].turn.id, wait_ms: 200 })).held?.reason).toBe(
        "paused",
      );
      await hostFixture.fixture.sessions.cancel({ session: "demo", turn: waiting[0].turn.id });
      expect(await hostFixture.fixture.sessions.clearQueue({ session: "demo" })).toHaveLength(2);
      await hostFixture.fixture.sessions.resume({ session: "demo" });
      expect((await ended(hostFixture, await submit(hostFixture.fixture, "four")))[0]).toBe("completed");
      expect(await prompts(hostFixture)).toEqual([ASKING, "four"]);
    },
  },
  {
    title: "an interrupt stops a working agent, and does nothing otherwise",
    async run(hostFixture) {
      expect((await hostFixture.fixture.sessions.interrupt({ session: "demo" })).outcome).toBe("not_working");
      const turn = await running(hostFixture);
      expect((await hostFixture.fixture.sessions.interrupt({ session: "demo" })).outcome).toBe("interrupted");
      expect(await ended(hostFixture, turn)).toEqual(["cancelled", "client_rpc", "interrupted"]);
    },
  },
  {
    title: "an interrupting send runs before queued ones",
    async run(hostFixture) {
      const first = await running(hostFixture);
      const waiting = await submit(hostFixture.fixture, "later");
      expect((await hostFixture.fixture.sessions.send({ session: "demo", text: "now", interrupt: true })).receipt.outcome).toBe(
        "submitted",
      );
      expect(await ended(hostFixture, first)).toEqual(["cancelled", "superseded", "interrupted"]);
      expect((await ended(hostFixture, waiting))[0]).toBe("completed");
      expect(await prompts(hostFixture)).toEqual([FOR_EVER, "now", "later"]);
    },
  },
  ...(["stop", "restart", "remove"] as const).map((end) => ({
    title: `a queue ends with a ${end} of its session, and nothing of it reaches an agent afterwards`,
    async run(hostFixture: SpokenFixture) {
      const turns = [await running(hostFixture), await submit(hostFixture.fixture, "one"), await submit(hostFixture.fixture, "two")];
      await hostFixture.fixture.sessions[end]({ session: "demo" });
      const cause = end === "remove" ? "session_removed" : "admin_kill";
      for (const turn of turns) expect(await ended(hostFixture, turn)).toEqual(["cancelled", cause, "session_closed"]);
      expect(endedTurns(hostFixture.fixture)).toHaveLength(3);
      if (end === "restart") {
        await eventually(() => hostFixture.state()).toBe("idle");
        expect(await prompts(hostFixture)).not.toContain("one");
      }
    },
  })),
  {
    title: "a turn fails when the agent reports a failure, and the next one runs",
    async run(hostFixture) {
      const failed = await submit(hostFixture.fixture, script({ error: "too much" }));
      const next = await submit(hostFixture.fixture, "next");
      expect((await ended(hostFixture, failed))[0]).toBe("failed");
      expect((await ended(hostFixture, next))[0]).toBe("completed");
    },
  },
  {
    title: "a stuck session does not delay others",
    async run(hostFixture) {
      await hostFixture.create("other");
      await running(hostFixture, script({ deafMs: 600_000 }));
      expect((await ended(hostFixture, await submit(hostFixture.fixture, "hello", "other")))[0]).toBe("completed");
    },
  },
];

const DELIVERY: readonly SpokenCase[] = [
  {
    title: "a key always returns the same receipt, and never prompts twice",
    async run(hostFixture) {
      const keyed = { session: "demo", text: "hello", idempotency_key: "k" };
      const all = await Promise.all([hostFixture.fixture.sessions.send(keyed), hostFixture.fixture.sessions.send(keyed)]);
      const later = await hostFixture.fixture.sessions.send(keyed);
      expect(new Set([...all, later].map(({ receipt }) => receipt.id)).size).toBe(1);
      expect(await prompts(hostFixture)).toEqual(["hello"]);
    },
  },
  {
    title: "of two simultaneous answers to a permission request, one gets DECISION_GONE",
    async run(hostFixture) {
      const turn = await submit(hostFixture.fixture, ASKING);
      const { decision_id } = await reaches(hostFixture, turn, "waiting_approval");
      const approve = () =>
        hostFixture.fixture.sessions.answer({ session: "demo", decision_id: decision_id ?? "", answer: { kind: "approve" } });
      const both = await Promise.allSettled([approve(), approve()]);
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "DECISION_GONE" } });
      expect((await ended(hostFixture, turn))[0]).toBe("completed");
    },
  },
  {
    title: "a wait for a state ends with it, and reports the actual state at the timeout",
    async run(hostFixture) {
      const wait = (state: "working" | "awaiting_approval" | "exited", ms = 40_000) =>
        hostFixture.fixture.sessions.wait({ session: "demo", until: state, timeout_ms: ms });
      await expect(wait("awaiting_approval", 300)).rejects.toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("idle") });
      const [asking, working] = [wait("awaiting_approval"), wait("working")];
      await submit(hostFixture.fixture, script({ slowMs: 600_000, ask: ["make"] }));
      expect((await asking).activity.source).toBe("protocol");
      const { decision } = await hostFixture.fixture.sessions.show({ session: "demo" });
      await hostFixture.fixture.sessions.answer({ session: "demo", decision_id: decision?.id ?? "", answer: { kind: "deny" } });
      expect((await working).activity.state).toBe("working");
      const exited = wait("exited");
      await hostFixture.fixture.sessions.stop({ session: "demo" });
      expect((await exited).activity.state).toBe("exited");
    },
  },
];

const CRASHES: readonly SpokenCase[] = [
  {
    title: "a killed daemon leaves a running turn and a queue to the next one, which continues with them",
    async run(hostFixture) {
      const first = await begun(hostFixture, script({ slowMs: 1_500, say: "done" }));
      const second = await submit(hostFixture.fixture, "second");
      const { pane } = await hostFixture.record();
      hostFixture.fixture.next();
      expect((await ended(hostFixture, first))[0]).toBe("completed");
      expect((await ended(hostFixture, second))[0]).toBe("completed");
      expect((await hostFixture.record()).pane).toEqual(pane);
      expect((await prompts(hostFixture)).at(-1)).toBe("second");
    },
  },
  {
    title: "a turn fails when its agent was killed while no daemon ran, and its session stops with that cause",
    async run(hostFixture) {
      const turn = await running(hostFixture);
      const { pid } = await hostFixture.record();
      const next = hostFixture.fixture.next();
      process.kill(pid ?? 0, "SIGKILL");
      await eventually(async () => (await hostFixture.fixture.panes()).every(({ exit }) => exit !== null)).toBe(true);
      await next.reconcile();
      expect(await ended(hostFixture, turn)).toEqual(["failed", null, "session_exited"]);
      await eventually(() => hostFixture.state()).toBe("exited");
      expect(await hostFixture.record()).toMatchObject({ state: "stopped", exit: { signal: 9 }, intent: null });
    },
  },
  {
    title: "a stop requested of a killed daemon is recorded as the cause of the end",
    async run(hostFixture) {
      const turn = await running(hostFixture);
      const killed = hostFixture.fixture.killedAt("stop.killed");
      void hostFixture.fixture.sessions.stop({ session: "demo" });
      await killed;
      await hostFixture.fixture.next().reconcile();
      expect(await ended(hostFixture, turn)).toEqual(["cancelled", "admin_kill", "session_closed"]);
      expect(await hostFixture.record()).toMatchObject({ state: "stopped", stop_cause: "deliberate", intent: null });
    },
  },
  {
    title: "a session whose holder was killed is launched again, and continues its conversation",
    settings: { autoResume: true, suspicionMs: 200 },
    async run(hostFixture) {
      expect((await ended(hostFixture, await submit(hostFixture.fixture, "remember")))[0]).toBe("completed");
      const before = await hostFixture.record();
      await hostFixture.fixture.takeAway("demo");
      await eventually(() => hostFixture.fixture.events.filter(({ type }) => type === "session_resumed").length).toBe(1);
      await eventually(() => hostFixture.state()).toBe("idle");
      const after = await hostFixture.record();
      expect(after).toMatchObject({ id: before.id, state: "active", conversation_id: before.conversation_id });
      expect(after.pane).not.toEqual(before.pane);
      expect(await prompts(hostFixture)).toEqual(["remember"]);
    },
  },
];

export const SPOKEN_CASES: readonly SpokenCase[] = [...TURNS, ...DELIVERY, ...CRASHES];
