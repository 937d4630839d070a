import { expect } from "vitest";
import type { TurnFacts } from "../../src/index.js";
import { brief, outcome, submit, told } from "../turn-steps.js";
import { eventually, type SpokenBed, type SpokenCase, script } from "./spoken-bed.js";

const ASKING = script({ ask: ["make"] });
const FOR_EVER = script({ slowMs: 600_000 });

async function reaches({ lab }: SpokenBed, { turn }: TurnFacts, state: TurnFacts["state"]): Promise<TurnFacts> {
  const now = () => lab.sessions.turn({ session: turn.session_id, turn: turn.id });
  await eventually(async () => (await now()).state).toBe(state);
  return now();
}

/** A turn that runs for as long as it is left to. */
async function running(bed: SpokenBed, prompt = FOR_EVER): Promise<TurnFacts> {
  return reaches(bed, await submit(bed.lab, prompt), "running");
}

/** A turn that was begun, and may have ended. */
async function begun({ lab }: SpokenBed, prompt: string): Promise<TurnFacts> {
  const turn = await submit(lab, prompt);
  await eventually(() => lab.events.some((event) => event.type === "turn_started" && event.turn_id === turn.turn.id)).toBe(true);
  return turn;
}

const ended = async ({ lab }: SpokenBed, turn: TurnFacts) => brief(await outcome(lab.sessions, turn));
const prompts = async (bed: SpokenBed) => (await bed.lines()).filter((line) => line.startsWith("> ")).map((line) => line.slice(2));

const TURNS: readonly SpokenCase[] = [
  {
    title: "a pause holds the queue and ends no turn, and one turn or all are cancelled with nothing said of them",
    async run(bed) {
      const first = await reaches(bed, await submit(bed.lab, ASKING), "waiting_approval");
      await bed.lab.sessions.pause({ session: "demo" });
      const waiting = [await submit(bed.lab, "one"), await submit(bed.lab, "two"), await submit(bed.lab, "three")] as const;
      await bed.lab.sessions.answer({ session: "demo", decision_id: first.decision_id ?? "", answer: { kind: "approve" } });
      expect((await ended(bed, first))[0]).toBe("completed");
      expect((await bed.lab.sessions.turn({ session: "demo", turn: waiting[0].turn.id, wait_ms: 200 })).held?.reason).toBe("paused");
      await bed.lab.sessions.cancel({ session: "demo", turn: waiting[0].turn.id });
      expect(await bed.lab.sessions.clearQueue({ session: "demo" })).toHaveLength(2);
      await bed.lab.sessions.resume({ session: "demo" });
      expect((await ended(bed, await submit(bed.lab, "four")))[0]).toBe("completed");
      expect(await prompts(bed)).toEqual([ASKING, "four"]);
    },
  },
  {
    title: "an interrupt breaks off what the agent works on, and nothing otherwise",
    async run(bed) {
      expect((await bed.lab.sessions.interrupt({ session: "demo" })).outcome).toBe("not_working");
      const turn = await running(bed);
      expect((await bed.lab.sessions.interrupt({ session: "demo" })).outcome).toBe("interrupted");
      expect(await ended(bed, turn)).toEqual(["cancelled", "client_rpc", "interrupted"]);
    },
  },
  {
    title: "a send that breaks off the running turn goes before what waits",
    async run(bed) {
      const first = await running(bed);
      const waiting = await submit(bed.lab, "later");
      expect((await bed.lab.sessions.send({ session: "demo", text: "now", interrupt: true })).receipt.outcome).toBe("submitted");
      expect(await ended(bed, first)).toEqual(["cancelled", "superseded", "interrupted"]);
      expect((await ended(bed, waiting))[0]).toBe("completed");
      expect(await prompts(bed)).toEqual([FOR_EVER, "now", "later"]);
    },
  },
  ...(["stop", "restart", "remove"] as const).map((end) => ({
    title: `a queue ends with a ${end} of its session, and nothing of it reaches an agent after that`,
    async run(bed: SpokenBed) {
      const turns = [await running(bed), await submit(bed.lab, "one"), await submit(bed.lab, "two")];
      await bed.lab.sessions[end]({ session: "demo" });
      const cause = end === "remove" ? "session_removed" : "admin_kill";
      for (const turn of turns) expect(await ended(bed, turn)).toEqual(["cancelled", cause, "session_closed"]);
      expect(told(bed.lab)).toHaveLength(3);
      if (end === "restart") {
        await eventually(() => bed.state()).toBe("idle");
        expect(await prompts(bed)).not.toContain("one");
      }
    },
  })),
  {
    title: "a turn fails when the agent says so, and the next one has its time",
    async run(bed) {
      const failed = await submit(bed.lab, script({ error: "too much" }));
      const next = await submit(bed.lab, "next");
      expect((await ended(bed, failed))[0]).toBe("failed");
      expect((await ended(bed, next))[0]).toBe("completed");
    },
  },
  {
    title: "a session that is stuck keeps no other waiting",
    async run(bed) {
      await bed.create("other");
      await running(bed, script({ deafMs: 600_000 }));
      expect((await ended(bed, await submit(bed.lab, "hello", "other")))[0]).toBe("completed");
    },
  },
];

const DELIVERY: readonly SpokenCase[] = [
  {
    title: "a key gives the one receipt, and never a second prompt",
    async run(bed) {
      const keyed = { session: "demo", text: "hello", idempotency_key: "k" };
      const all = await Promise.all([bed.lab.sessions.send(keyed), bed.lab.sessions.send(keyed)]);
      const later = await bed.lab.sessions.send(keyed);
      expect(new Set([...all, later].map(({ receipt }) => receipt.id)).size).toBe(1);
      expect(await prompts(bed)).toEqual(["hello"]);
    },
  },
  {
    title: "what is asked is answered by one of two callers, and the other is told",
    async run(bed) {
      const turn = await submit(bed.lab, ASKING);
      const { decision_id } = await reaches(bed, turn, "waiting_approval");
      const approve = () => bed.lab.sessions.answer({ session: "demo", decision_id: decision_id ?? "", answer: { kind: "approve" } });
      const both = await Promise.allSettled([approve(), approve()]);
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "DECISION_GONE" } });
      expect((await ended(bed, turn))[0]).toBe("completed");
    },
  },
  {
    title: "waiting for a state ends with it, and says what there is instead when it does not come",
    async run(bed) {
      const wait = (state: "working" | "awaiting_approval" | "exited", ms = 40_000) =>
        bed.lab.sessions.wait({ session: "demo", until: state, timeout_ms: ms });
      await expect(wait("awaiting_approval", 300)).rejects.toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("idle") });
      const [asking, working] = [wait("awaiting_approval"), wait("working")];
      await submit(bed.lab, script({ slowMs: 600_000, ask: ["make"] }));
      expect((await asking).activity.source).toBe("protocol");
      const { decision } = await bed.lab.sessions.show({ session: "demo" });
      await bed.lab.sessions.answer({ session: "demo", decision_id: decision?.id ?? "", answer: { kind: "deny" } });
      expect((await working).activity.state).toBe("working");
      const exited = wait("exited");
      await bed.lab.sessions.stop({ session: "demo" });
      expect((await exited).activity.state).toBe("exited");
    },
  },
];

const CRASHES: readonly SpokenCase[] = [
  {
    title: "a daemon that is killed leaves a running turn and a queue to the next one, which continues with them",
    async run(bed) {
      const first = await begun(bed, script({ slowMs: 1_500, say: "done" }));
      const second = await submit(bed.lab, "second");
      const { pane } = await bed.record();
      bed.lab.next();
      expect((await ended(bed, first))[0]).toBe("completed");
      expect((await ended(bed, second))[0]).toBe("completed");
      expect((await bed.record()).pane).toEqual(pane);
      expect((await prompts(bed)).at(-1)).toBe("second");
    },
  },
  {
    title: "a turn whose agent was killed while no daemon ran has failed, and the session has stopped with how it ended",
    async run(bed) {
      const turn = await running(bed);
      const { pid } = await bed.record();
      const next = bed.lab.next();
      process.kill(pid ?? 0, "SIGKILL");
      await eventually(async () => (await bed.lab.panes()).every(({ exit }) => exit !== null)).toBe(true);
      await next.reconcile();
      expect(await ended(bed, turn)).toEqual(["failed", null, "session_exited"]);
      await eventually(() => bed.state()).toBe("exited");
      expect(await bed.record()).toMatchObject({ state: "stopped", exit: { signal: 9 }, intent: null });
    },
  },
  {
    title: "a stop that the daemon did not live to record is the cause of what it ended",
    async run(bed) {
      const turn = await running(bed);
      const killed = bed.lab.killedAt("stop.killed");
      void bed.lab.sessions.stop({ session: "demo" });
      await killed;
      await bed.lab.next().reconcile();
      expect(await ended(bed, turn)).toEqual(["cancelled", "admin_kill", "session_closed"]);
      expect(await bed.record()).toMatchObject({ state: "stopped", stop_cause: "deliberate", intent: null });
    },
  },
  {
    title: "a session whose holder was killed is launched again, and continues with its conversation",
    settings: { autoResume: true, suspicionMs: 200 },
    async run(bed) {
      expect((await ended(bed, await submit(bed.lab, "remember")))[0]).toBe("completed");
      const before = await bed.record();
      await bed.lab.takeAway("demo");
      await eventually(() => bed.lab.events.filter(({ type }) => type === "session_resumed").length).toBe(1);
      await eventually(() => bed.state()).toBe("idle");
      const after = await bed.record();
      expect(after).toMatchObject({ id: before.id, state: "active", conversation_id: before.conversation_id });
      expect(after.pane).not.toEqual(before.pane);
      expect(await prompts(bed)).toEqual(["remember"]);
    },
  },
];

export const SPOKEN_CASES: readonly SpokenCase[] = [...TURNS, ...DELIVERY, ...CRASHES];
