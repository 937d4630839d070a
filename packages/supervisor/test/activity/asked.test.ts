import type { Decision as Shown } from "@tmpm/agents";
import { describe, expect, test } from "vitest";
import {
  answeringWith,
  askedByHook,
  askedByScreen,
  closeOpen,
  type DecisionState,
  NOTHING_ASKED,
  screenDigest,
} from "../../src/activity/asked.js";
import { HOLD_MS } from "../../src/activity/believe.js";

const T = 1_800_000_000_000;
let ids = 0;
const at = (ms: number) => ({ session_id: "s", agent: "claude", nowMs: T + ms, newId: () => `d${++ids}` });
const touch: Shown = {
  kind: "approval",
  tool: "Bash",
  subject: "touch it",
  choices: [
    { label: "Yes", keys: ["Enter"], takesText: false },
    { label: "No", keys: ["Down", "Enter"], takesText: false },
  ],
};
const heard: Shown = { ...touch, choices: [] };
const dialog = { state: "awaiting_approval", decision: touch } as const;
const idle = { state: "idle", decision: null } as const;

describe("decisions", () => {
  test("a decision reported by a hook and then seen counts once", () => {
    const first = askedByHook(NOTHING_ASKED, heard, at(0));
    const drawing = askedByScreen(first, { state: "working", decision: null }, at(200));
    const seen = askedByScreen(drawing, dialog, at(400));
    expect(seen.open).toMatchObject({
      id: first.open?.id,
      choices: [{ label: "Yes", answerable: true }, {}],
      screen_digest: screenDigest(touch),
    });
    expect(seen.closed).toEqual([]);
  });

  test("a decision seen and then reported by a hook counts once, with the hook's exact text", () => {
    const seen = askedByScreen(NOTHING_ASKED, { ...dialog, decision: { ...touch, subject: "touch\n  it" } }, at(0));
    const reported = askedByHook(seen, heard, at(100));
    expect(reported.open).toMatchObject({ id: seen.open?.id, subject: "touch it" });
  });

  test("a decision stays the same while its dialog is redrawn at another width, only partly recognized, or unreadable", () => {
    const seen = askedByScreen(NOTHING_ASKED, dialog, at(0));
    const wrapped = askedByScreen(seen, { ...dialog, decision: { ...touch, subject: "touch\nit" } }, at(10));
    const half = askedByScreen(wrapped, { state: "awaiting_approval", decision: null }, at(20));
    const blind = askedByScreen(half, { state: "unknown", decision: null }, at(30));
    expect(blind.open?.id).toBe(seen.open?.id);
  });

  test("a decision whose dialog is drawn in several steps counts once", () => {
    const half = { ...dialog, decision: { ...touch, subject: "touch it  ~/aside", choices: [] } };
    const reported = askedByHook(NOTHING_ASKED, heard, at(0));
    const drawn = askedByScreen(askedByScreen(reported, half, at(300)), dialog, at(400));
    expect(drawn.open).toMatchObject({ id: reported.open?.id, subject: "touch it", screen_digest: screenDigest(touch) });
    const seen = askedByScreen(NOTHING_ASKED, { ...dialog, decision: { ...touch, choices: [] } }, at(0));
    expect(askedByScreen(seen, dialog, at(100)).open).toMatchObject({ id: seen.open?.id, choices: [{}, {}] });
    const other = askedByScreen(seen, { ...dialog, decision: { ...touch, subject: "touch it all" } }, at(100));
    expect(other.open?.id).not.toBe(seen.open?.id);
    expect(askedByScreen(reported, dialog, at(HOLD_MS + 300)).open?.id).toBe(reported.open?.id);
  });

  test("a truncated dialog is matched to the decision that a hook reported in full; without a hook or with another text it is not a decision", () => {
    const whole = `printf 'one two three'\n&& rm -r "that folder" && echo done`;
    const cut = { pieces: ["printf 'one two\n three'", "&& echo"], decision: { ...touch, subject: "printf 'one two\n three'" } } as const;
    const shows = { state: "awaiting_approval", decision: null, cut } as const;
    expect(askedByScreen(NOTHING_ASKED, shows, at(0)).open).toBeNull();
    const reported = askedByHook(NOTHING_ASKED, { ...heard, subject: whole }, at(0));
    expect(askedByScreen(reported, shows, at(300)).open).toMatchObject({
      id: reported.open?.id,
      subject: whole,
      screen_digest: screenDigest(cut.decision),
      choices: [{ label: "Yes" }, {}],
    });
    for (const pieces of [["printf 'two'"], ["&& echo", "printf 'one"], [""]] as const) {
      expect(askedByScreen(reported, { ...shows, cut: { ...cut, pieces } }, at(300)).open?.screen_digest).toBeNull();
    }
    const seen = askedByScreen(NOTHING_ASKED, dialog, at(0));
    expect(askedByScreen(seen, shows, at(100)).open?.screen_digest).toBe(screenDigest(touch));
  });

  test("the same command requested again is a new decision", () => {
    const first = askedByScreen(askedByHook(NOTHING_ASKED, heard, at(0)), dialog, at(300));
    const gone = askedByScreen(first, idle, at(900));
    const again = askedByHook(gone, heard, at(2_000));
    expect(again.open?.id).not.toBe(first.open?.id);
    const unseen = askedByHook(first, heard, at(HOLD_MS + 1));
    expect(unseen.open?.id).not.toBe(first.open?.id);
    expect(unseen.closed.at(-1)).toMatchObject({ how: "moved_on", answer: null });
  });

  test("a reported decision that is never drawn is dropped", () => {
    const reported = askedByHook(NOTHING_ASKED, heard, at(0));
    expect(askedByScreen(reported, idle, at(HOLD_MS - 1)).open).not.toBeNull();
    expect(askedByScreen(reported, idle, at(HOLD_MS)).open).toBeNull();
  });

  test("a decision that disappears during an answer counts as answered, and typed text does not change a decision", () => {
    const answering = answeringWith(askedByScreen(NOTHING_ASKED, dialog, at(0)), "approve");
    const typed = { ...touch, choices: [{ label: "my own words", keys: null, takesText: true }] };
    const during = askedByScreen(answering, { ...dialog, decision: typed }, at(50));
    expect(during.open?.id).toBe(answering.open?.id);
    expect(askedByScreen(during, idle, at(100)).closed.at(-1)).toMatchObject({ how: "answered", answer: "approve" });
    const ended = closeOpen(answering, { how: "ended", answer: null, atMs: T });
    expect(ended.closed.at(-1)).toMatchObject({ how: "ended", answer: null });
  });

  test("keeps only the last closed decisions", () => {
    let asked: DecisionState = NOTHING_ASKED;
    for (let round = 0; round < 30; round++) asked = askedByScreen(askedByScreen(asked, dialog, at(round)), idle, at(round));
    expect(asked.closed).toHaveLength(10);
  });
});
