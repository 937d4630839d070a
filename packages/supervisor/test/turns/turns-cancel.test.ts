import { TmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { brief, demo, endedTurns, outcome, submit, until } from "../fixtures/turn-steps.js";

describe("cancel", () => {
  test("interrupts the running turn with the agent's keys, and the next one continues (zeroclaw 17, 38)", async () => {
    const each = await demo();
    const [running, next] = [await submit(each, "for ever"), await submit(each, "work 100")];
    await until(each.sessions, running, "running");
    const { turn } = await each.sessions.cancel({ session: "demo" });
    expect(turn).toMatchObject({ id: running.turn.id, outcome: "cancelled", cause: "client_rpc", reason: "interrupted", confirmed: true });
    expect(endedTurns(each)).toHaveLength(1);
    expect((await outcome(each.sessions, next)).outcome).toBe("completed");
    expect(each.taken).toEqual(["for ever", "work 100"]);
  });

  test("reports an agent that was not seen to stop in time, as its only outcome (zeroclaw 38)", async () => {
    const each = await demo();
    const running = await submit(each, "deaf");
    await until(each.sessions, running, "running");
    const began = each.tmux.now();
    const { turn } = await each.sessions.cancel({ session: "demo", grace_ms: 2_000 });
    expect(turn).toMatchObject({ outcome: "cancelled", cause: "client_rpc", reason: "not_seen_to_stop", confirmed: false });
    expect(each.tmux.now() - began).toBeGreaterThanOrEqual(2_000);
    expect(each.tmux.now() - began).toBeLessThan(5_000);
    await each.sessions.stop({ session: "demo" });
    expect(endedTurns(each)).toHaveLength(1);
  });

  test("that comes late changes nothing, and affects no other turn (ZW-5; zeroclaw 20, 21)", async () => {
    const each = await demo();
    await expect(each.sessions.cancel({ session: "demo" })).rejects.toMatchObject({ code: "TURN_NOT_ACTIVE" });
    const first = await submit(each, "work 100");
    await outcome(each.sessions, first);
    const second = await submit(each, "work 5000");
    await until(each.sessions, second, "running");
    await expect(each.sessions.cancel({ session: "demo", turn: first.turn.id })).rejects.toMatchObject({
      code: "TURN_NOT_ACTIVE",
      effect: "none",
      details: { outcome: "completed" },
    });
    expect(brief(await outcome(each.sessions, second))).toEqual(["completed", null, "ready"]);
  });

  test("by two callers at once takes effect once (zeroclaw 17)", async () => {
    const each = await demo();
    const running = await submit(each, "for ever");
    await until(each.sessions, running, "running");
    const both = await Promise.all([each.sessions.cancel({ session: "demo" }), each.sessions.cancel({ session: "demo" })]);
    expect(both.map(({ turn }) => brief(turn))).toEqual(both.map(() => ["cancelled", "client_rpc", "interrupted"]));
    expect(endedTurns(each)).toHaveLength(1);
  });

  test("during the observation that finds the agent ready types nothing (ZW-4)", async () => {
    let whenLooked: ((lines: readonly string[]) => Promise<void>) | null = null;
    const each = await demo({
      lens: (driver) => ({
        ...driver,
        async capture(...query) {
          const screen = await driver.capture(...query);
          await whenLooked?.(screen.lines);
          return screen;
        },
      }),
    });
    const first = await submit(each, "work 500");
    await until(each.sessions, first, "running");
    const turn = await submit(each, "work 1");
    let cancelling: Promise<unknown> | null = null;
    whenLooked = async (lines) => {
      const isReady = lines.includes("working") && lines.findLast((line) => line !== "") === ">";
      if (!isReady || cancelling !== null) return;
      cancelling = each.sessions.cancel({ session: "demo", turn: turn.turn.id });
      // Runs turns of the event loop until the cancellation is recorded.
      for (let n = 0; n < 20; n++) await new Promise(setImmediate);
    };
    expect(brief(await outcome(each.sessions, turn))).toEqual(["cancelled", "client_rpc", "taken_back"]);
    expect(cancelling).not.toBeNull();
    await cancelling;
    expect(each.taken).toEqual(["work 500"]);
  });

  test("of a turn that waits for approval refuses the request", async () => {
    const each = await demo();
    const turn = await submit(each, "ask");
    await until(each.sessions, turn, "waiting_approval");
    expect((await each.sessions.cancel({ session: "demo" })).turn).toMatchObject({ outcome: "cancelled", confirmed: true });
    expect(each.tmux.received("tmpm-demo").at(-1)).toEqual({ type: "keys", keys: ["n"] });
  });

  test("while tmux does not answer changes nothing", async () => {
    const each = await demo();
    const turn = await submit(each, "work 5000");
    await until(each.sessions, turn, "running");
    each.tmux.failNext("capture", new TmpmError("TMUX_UNRESPONSIVE", "no answer"));
    await expect(each.sessions.cancel({ session: "demo" })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE" });
    expect(brief(await outcome(each.sessions, turn))).toEqual(["completed", null, "ready"]);
  });

  test("overtaken by a stop has the cause of the stop, once (zeroclaw 23)", async () => {
    const each = await demo();
    const turn = await submit(each, "deaf");
    await until(each.sessions, turn, "running");
    const cancelling = each.sessions.cancel({ session: "demo" });
    await each.sessions.stop({ session: "demo" });
    await cancelling;
    expect(endedTurns(each)).toHaveLength(1);
    expect((await outcome(each.sessions, turn)).outcome).toBe("cancelled");
  });

  test("by `tmpm interrupt` or an interrupting send has its own cause", async () => {
    const each = await demo();
    const first = await submit(each, "for ever");
    await until(each.sessions, first, "running");
    await each.sessions.interrupt({ session: "demo" });
    expect(brief(await outcome(each.sessions, first))).toEqual(["cancelled", "client_rpc", "interrupted"]);
    const second = await submit(each, "for ever");
    await until(each.sessions, second, "running");
    const { receipt } = await each.sessions.send({ session: "demo", text: "work 100", interrupt: true });
    expect(receipt.outcome).toBe("submitted");
    expect(brief(await outcome(each.sessions, second))).toEqual(["cancelled", "superseded", "interrupted"]);
    const deaf = await submit(each, "deaf");
    await until(each.sessions, deaf, "running");
    expect((await each.sessions.interrupt({ session: "demo" })).outcome).toBe("unconfirmed");
    expect((await each.sessions.turn({ session: "demo", turn: deaf.turn.id })).turn).toMatchObject({ state: "running", cause: null });
  });
});
