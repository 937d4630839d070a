import type { AgentAdapter } from "@tmpm/agents";
import { timestampFromMs } from "@tmpm/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";
import { LIMIT_RESETS_MS, turnAgent } from "../fixtures/turn-agent.js";
import { turnProgram } from "../fixtures/turn-program.js";
import { brief, demo, outcome, submit } from "../fixtures/turn-steps.js";

const RESETS_AT = timestampFromMs(LIMIT_RESETS_MS);

test("a turn that hits a usage limit fails with that reason, and the session reports the reset", async () => {
  const each = await demo();
  const ended = await outcome(each.sessions, await submit(each, "limit"));
  expect(brief(ended)).toEqual(["failed", null, "limit_reached"]);
  expect(ended).toMatchObject({ code: "USAGE_LIMIT", note: "limit reached", final_message: null });
  const { activity } = await each.sessions.show({ session: "demo" });
  expect(activity).toMatchObject({ state: "awaiting_input", limit: { message: "limit reached", resets_at: RESETS_AT, source: "screen" } });
});

test("prompts queued behind a usage limit wait until the agent accepts text again, and an interrupt keeps the screen", async () => {
  const each = await demo();
  const limited = await submit(each, "limit");
  const behind = await submit(each, "work 1000");
  expect((await outcome(each.sessions, limited)).reason).toBe("limit_reached");
  expect((await each.sessions.turn({ session: "demo", turn: behind.turn.id, wait_ms: 5_000 })).state).toBe("queued");
  expect(await each.sessions.interrupt({ session: "demo" })).toMatchObject({ outcome: "interrupted" });
  expect(brief(await outcome(each.sessions, behind))).toEqual(["completed", null, "ready"]);
  expect((await each.sessions.show({ session: "demo" })).activity.limit).toBeNull();
});

test("an interrupt whose keys were lost presses them again while the limit is still on the screen", async () => {
  const each = await demo();
  expect((await outcome(each.sessions, await submit(each, "limit twice"))).reason).toBe("limit_reached");
  expect(await each.sessions.interrupt({ session: "demo" })).toMatchObject({ outcome: "interrupted" });
  const keys = each.tmux.received("tmpm-demo").flatMap((input) => (input.type === "paste" ? [] : input.keys));
  expect(keys.filter((key) => key === "s")).toHaveLength(2);
});

describe("automatic continuation after a limit", () => {
  const PROMPT = "work 10";

  /** A session whose agent has reached a limit of an hour, and accepts text. */
  async function limited({ draft = null, usageMs = 10_000 }: { readonly draft?: string | null; readonly usageMs?: number } = {}) {
    const taken: string[] = [];
    let resetsAtMs = 0;
    const agent: AgentAdapter = {
      ...turnAgent,
      read: (seen) => {
        const read = turnAgent.read(seen);
        return read.state === "errored" ? { ...read, draft: draft ?? read.draft, limit: { message: "limit reached", resetsAtMs } } : read;
      },
    };
    const each = fixture({
      adapters: [agent],
      programs: { "turn-agent": turnProgram((prompt) => taken.push(prompt)) },
      settings: { resumeAfterLimit: { on: true, tries: 2, prompt: PROMPT }, usageMs },
    });
    resetsAtMs = each.tmux.now() + 3_600_000;
    await each.sessions.create({ agent: "turner", cwd: "/w", name: "demo" });
    expect((await outcome(each.sessions, await submit(each, "fail"))).reason).toBe("limit_reached");
    const during = async (ms: number, done: () => boolean = () => false) => {
      const untilMs = each.tmux.now() + ms;
      each.sessions.start();
      while (each.tmux.now() < untilMs && !done()) await new Promise(setImmediate);
    };
    onTestFinished(() => each.sessions.close());
    return { ...each, taken, during, resetsAtMs };
  }

  test("sends one prompt after the reset, and not before", async () => {
    const each = await limited();
    await each.during(7_200_000, () => each.taken.length > 1);
    expect(each.taken).toEqual(["fail", PROMPT]);
    expect(each.tmux.now()).toBeGreaterThanOrEqual(each.resetsAtMs);
    expect(each.tmux.now()).toBeLessThan(each.resetsAtMs + 400_000);
    expect(each.faults).toEqual([]);
  });

  test("ends when a user sends text or attaches a terminal", async () => {
    const each = await limited();
    await each.during(60_000);
    await each.sessions.send({ session: "demo", text: "fail", now: true });
    await each.during(10_800_000);
    expect(each.taken, "after a text").toEqual(["fail", "fail"]);
    const other = await limited();
    other.tmux.attachViewer("tmpm-demo");
    await other.during(10_800_000);
    expect(other.taken, "after an attach").toEqual(["fail"]);
  });

  test("ends when a user attaches a terminal briefly, between two checks", async () => {
    const each = await limited({ usageMs: 60_000 });
    await each.during(1_000);
    const leave = each.tmux.attachViewer("tmpm-demo");
    await each.during(15_000);
    leave();
    await each.during(7_200_000);
    expect(each.taken).toEqual(["fail"]);
  });

  test("ends when a user types in a terminal of the API, and when the agent's input holds text", async () => {
    const each = await limited();
    const terminal = await each.sessions.terminal({ session: "demo" });
    await terminal.type({ text: "x" });
    await each.during(7_200_000);
    expect(each.taken, "typed in a terminal").toEqual(["fail"]);
    const other = await limited({ draft: "half a thought" });
    await other.during(7_200_000);
    expect(other.taken, "text in the input").toEqual(["fail"]);
  });

  test("ends when a user presses keys", async () => {
    const each = await limited();
    await each.sessions.keys({ session: "demo", keys: ["Up"] });
    await each.during(7_200_000);
    expect(each.taken).toEqual(["fail"]);
  });
});
