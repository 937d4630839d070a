import type { AgentAdapter } from "@tmpm/agents";
import { expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";
import { turnAgent } from "../fixtures/turn-agent.js";
import { turnProgram } from "../fixtures/turn-program.js";
import { outcome, submit } from "../fixtures/turn-steps.js";

const WHY = "conversation c1 could not be resumed: nothing is kept of it";

/** An agent that cannot resume its first conversation. */
async function forgetful() {
  const agent: AgentAdapter = {
    ...turnAgent,
    id: "forgetful",
    launch: async ({ conversationId }) => ({
      argv: ["turn-agent"],
      env: {},
      carriesPrompt: false,
      conversationId: conversationId === null ? "c1" : "c2",
      ...(conversationId === "c1" ? { anew: WHY } : {}),
    }),
  };
  const each = fixture({ adapters: [agent], programs: { "turn-agent": turnProgram(() => undefined) } });
  await each.sessions.create({ agent: "forgetful", cwd: "/w", name: "demo" });
  const again = async () => {
    await each.sessions.stop({ session: "demo" });
    return (await each.sessions.resume({ session: "demo" })).record;
  };
  const changes = () => each.events.filter(({ type }) => type === "session_conversation_changed");
  return { ...each, again, changes };
}

test("a conversation that could not be resumed is reported until one is resumed", async () => {
  const each = await forgetful();
  await outcome(each.sessions, await submit(each, "work 10"));
  expect(await each.again()).toMatchObject({ conversation_id: "c2", conversation_note: WHY });
  expect(each.changes()).toMatchObject([{ from: "c1", to: "c2", reason: "not_resumed" }]);
  expect(await each.again()).toMatchObject({ conversation_id: "c2", conversation_note: null });
  expect(each.changes()).toHaveLength(1);
});

test("an empty conversation does not count as lost", async () => {
  const each = await forgetful();
  expect(await each.again()).toMatchObject({ conversation_id: "c2", conversation_note: null });
  expect(each.changes()).toEqual([]);
});
