import { timestampFromMs } from "@tmpm/core";
import { expect, test } from "vitest";
import { LIMIT_RESETS_MS } from "./turn-agent.js";
import { brief, demo, outcome, submit } from "./turn-steps.js";

const RESETS_AT = timestampFromMs(LIMIT_RESETS_MS);

test("a turn that runs into a usage limit fails and says so, and the session tells when it resets", async () => {
  const each = await demo();
  const ended = await outcome(each.sessions, await submit(each, "limit"));
  expect(brief(ended)).toEqual(["failed", null, "limit_reached"]);
  expect(ended).toMatchObject({ code: "AGENT_FAILED", note: "limit reached", final_message: null });
  const { activity } = await each.sessions.show({ session: "demo" });
  expect(activity).toMatchObject({ state: "awaiting_input", limit: { message: "limit reached", resets_at: RESETS_AT } });
});

test("what waits behind a usage limit waits until the agent takes text again, and an interrupt leaves what it shows", async () => {
  const each = await demo();
  const limited = await submit(each, "limit");
  const behind = await submit(each, "work 1000");
  expect((await outcome(each.sessions, limited)).reason).toBe("limit_reached");
  expect((await each.sessions.turn({ session: "demo", turn: behind.turn.id, wait_ms: 5_000 })).state).toBe("queued");
  expect(await each.sessions.interrupt({ session: "demo" })).toMatchObject({ outcome: "interrupted" });
  expect(brief(await outcome(each.sessions, behind))).toEqual(["completed", null, "ready"]);
  expect((await each.sessions.show({ session: "demo" })).activity.limit).toBeNull();
});
