import type { Exchange, Transcript } from "@tmpm/agents";
import { Turn } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { exchangeDuring, exchangeOf } from "../../src/turns/exchange-of.js";

const AT = "2026-01-01T00:00:10Z";
const atMs = Date.parse(AT);

function turn(prompt: string): Turn {
  return Turn.parse({
    id: "6d1f3c5a-7a52-4b8e-9c0d-1e2f3a4b5c6d",
    session_id: "11111111-2222-4333-8444-555555555555",
    project_id: "default",
    generation: 1,
    state: "ended",
    one_at_a_time: true,
    place: 1,
    key: null,
    prompt,
    prompt_bytes: 1,
    prompt_digest: "d",
    accepted_at: AT,
    started_at: AT,
    ended_at: "2026-01-01T00:00:20Z",
  });
}

function transcript(...exchanges: readonly Exchange[]): Transcript {
  return { prompt: null, message: null, reply: null, model: null, tokens: 0, contextLimit: 0, prompts: exchanges.length, exchanges };
}

const said = (prompt: string, reply: string, at: number | null = atMs + 1) => ({ prompt, reply, error: null, atMs: at });

describe("exchange of a turn", () => {
  test.each([
    ["a space that does not show", "zero\u200bwidth", "zerowidth"],
    ["composed marks", "cafe\u0301", "caf\u00e9"],
    ["trimmed blanks", "  two\tlines\n", "two    lines"],
    ["words before it", "do it", "<context>\ndo it"],
  ])("is found despite %s", (_, sent, recorded) => {
    expect(exchangeOf(transcript(said(recorded, "yes")), turn(sent))?.reply).toBe("yes");
  });

  test("is neither from before the turn nor for a different prompt", () => {
    const before = said("do it", "old", atMs - 1);
    expect(exchangeOf(transcript(before, said("other", "new")), turn("do it"))).toBeNull();
    expect(exchangeOf(transcript(before, said("do it", "new")), turn("do it"))?.reply).toBe("new");
  });

  test("is identified by its time if the words differ, and not found without times", () => {
    const late = said("later", "late", atMs + 60_000);
    expect(exchangeDuring(transcript(said("old", "old", atMs - 1), said("other", "new"), late), turn("do it"))?.reply).toBe("new");
    expect(exchangeDuring(transcript(late), turn("do it"))).toBeNull();
    expect(exchangeDuring(transcript(said("other", "new", null)), turn("do it"))).toBeNull();
  });
});
