import { describe, expect, test } from "vitest";
import type { Supervisor, TurnFacts } from "../../src/index.js";
import { CRASH } from "../fixtures/fixture.js";
import { type TurnFixture, turnFixture } from "../fixtures/turn-agent.js";

async function demo(): Promise<TurnFixture> {
  const each = turnFixture();
  await each.open("demo");
  return each;
}

/** A running turn whose daemon has ended. */
async function running(each: TurnFixture, prompt: string): Promise<TurnFacts> {
  const turn = await each.sessions.submit({ session: "demo", prompt, queue: true });
  await expect.poll(() => each.events.some(({ type }) => type === "turn_started")).toBe(true);
  await each.sessions.turns({ session: "demo" });
  return turn;
}

async function outcome(sessions: Supervisor, id: string) {
  const { turn } = await sessions.turn({ session: "demo", turn: id, wait_ms: 600_000 });
  return [turn.outcome, turn.cause, turn.reason];
}

const endedTurns = ({ events }: TurnFixture) => events.filter(({ type }) => type === "turn_ended");

describe("daemon that dies", () => {
  test.each([
    ["send.accepted", {}, ["failed", null, "daemon_ended"], []],
    ["send.accepted", { no_wait: true }, ["completed", null, "ready"], ["work 900"]],
    ["send.pasting", {}, ["failed", null, "daemon_ended"], []],
    ["send.pasted", {}, ["completed", null, "ready"], ["work 900"]],
    ["send.entering", {}, ["completed", null, "ready"], ["work 900"]],
  ] as const)("at %s with %o leaves a turn that the next daemon ends as %o", async (step, flags, expected, taken) => {
    const each = await demo();
    each.crashAt(step);
    const sending = each.sessions.send({ session: "demo", text: "work 900", ...flags }).catch((error: unknown) => error);
    await expect.poll(async () => (await each.sends.pending()).length).toBe(1);
    if (!("no_wait" in flags) || step === "send.accepted") expect(await sending).toBe(CRASH);
    each.crashAt(null);
    const [entry] = await each.sends.pending();
    const next = each.restarted();
    expect(await outcome(next, entry?.id ?? "")).toEqual(expected);
    expect(each.taken).toEqual(taken);
    expect(endedTurns(each)).toHaveLength(1);
    await next.close();
  });

  test("leaves a running turn to the next daemon, which observes its end, or detects that it has ended", async () => {
    const each = await demo();
    const long = await running(each, "work 60000");
    const next = each.restarted();
    expect(await outcome(next, long.turn.id)).toEqual(["completed", null, "ready"]);
    const short = await next.submit({ session: "demo", prompt: "work 5000", queue: true });
    await expect.poll(() => each.events.filter(({ type }) => type === "turn_started").length).toBe(2);
    await next.turns({ session: "demo" });
    each.tmux.advance(10_000);
    expect(await outcome(each.restarted(), short.turn.id)).toEqual(["completed", null, "ended_while_away"]);
  });

  test("leaves a running turn whose session ended meanwhile, and the next daemon reports how", async () => {
    const exited = await demo();
    const one = await running(exited, "for ever");
    exited.tmux.exit("tmpm-demo", 1);
    expect(await outcome(exited.restarted(), one.turn.id)).toEqual(["failed", null, "session_exited"]);
    const killed = await demo();
    const two = await running(killed, "for ever");
    killed.crashAt("stop.killed");
    await expect(killed.sessions.stop({ session: "demo" })).rejects.toBe(CRASH);
    killed.crashAt(null);
    const next = killed.restarted();
    await next.reconcile();
    expect(await outcome(next, two.turn.id)).toEqual(["cancelled", "admin_kill", "session_closed"]);
    expect(killed.taken).toEqual(["for ever"]);
  });

  test("leaves a cancellation to the next daemon", async () => {
    const each = await demo();
    const turn = await running(each, "for ever");
    const stored = await each.turnJournal.get(turn.turn.session_id, turn.turn.id);
    if (stored !== null) await each.turnJournal.keep({ ...stored, cause: "client_rpc" });
    expect(await outcome(each.restarted(), turn.turn.id)).toEqual(["cancelled", "client_rpc", "interrupted"]);
    expect(each.tmux.received("tmpm-demo").at(-1)).toEqual({ type: "keys", keys: ["Escape"] });
  });
});
