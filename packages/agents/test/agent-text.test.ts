import { describe, expect, test } from "vitest";
import { claude, codex, gemini, opencode } from "../src/index.js";
import { agentText, arrivalOf } from "../src/text/agent-text.js";

const BACKSLASH = "a backslash is prepended, so that it is not taken for a command";

/**
 * Texts that the real programs (Claude Code 2.1.332, Codex 0.171.0, Gemini CLI 0.61.0, OpenCode 1.18.33) sent to their model for the typed
 * input.
 */
describe("text that arrives at the agent", () => {
  test.each([
    [claude, "plain", "plain", "plain", null],
    [claude, "/clear the cache", "\\/clear the cache", "\\/clear the cache", BACKSLASH],
    [claude, "  /clear it", "\\/clear it", "\\/clear it", `leading whitespace is removed; ${BACKSLASH}`],
    [claude, "/", "\\/", "\\/", BACKSLASH],
    [claude, "!ls", "\\!ls", "\\!ls", BACKSLASH],
    [claude, "exit", "\\exit", "\\exit", BACKSLASH],
    [claude, "exit.", "exit.", "exit.", null],
    [claude, "/home/x/foo please", "/home/x/foo please", "/home/x/foo please", null],
    [claude, "#x", "#x", "#x", null],
    [claude, "ask @x", "ask @x ", "ask @x", null],
    [claude, "end\\", "end\\ ", "end\\", null],
    [claude, "\n  lead", "lead", "lead", "leading whitespace is removed"],
    [claude, "trail \n", "trail", "trail", "trailing whitespace is removed"],
    [claude, "a\tb", "a\tb", "a    b", "a tab becomes four spaces"],
    [claude, "e\u0301", "e\u0301", "é", "characters and their marks are composed (NFC)"],
    [claude, "zero\u200bwidth", "zerowidth", "zerowidth", "invisible characters are removed"],
    [claude, "x\u2028y", "x\ny", "x\ny", "line separators become line feeds"],
    [claude, "👨‍👩‍👧‍👦 ❤️ 1️⃣ 👩🏽‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨‍👩‍👧‍👦 ❤️ 1️⃣ 👩🏽‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨‍👩‍👧‍👦 ❤️ 1️⃣ 👩🏽‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿", null],
    [codex, "/clear it", " /clear it", "/clear it", null],
    [codex, "!ls", " !ls", "!ls", null],
    [codex, "costs 5 $", "costs 5 $ ", "costs 5 $", null],
    [codex, "mail a@b", "mail a@b", "mail a@b", null],
    [codex, " x\n", "x", "x", "leading and trailing whitespace is removed"],
    [codex, "zero\u200bwidth", "zero\u200bwidth", "zero\u200bwidth", null],
    [codex, "a\u200db\nநூல் க்\u200dஷ 👩‍💻", "ab\nநூல் க்\u200dஷ 👩‍💻", "ab\nநூல் க்\u200dஷ 👩‍💻", "joiners without effect are removed"],
    [gemini, "/clear it", "\\/clear it", "\\/clear it", BACKSLASH],
    [gemini, "\u200b/clear it", "\\\u200b/clear it", "\\/clear it", `${BACKSLASH}; some invisible characters are removed`],
    [gemini, "//x", "//x", "//x", null],
    [gemini, "!ls", "!ls", "!ls", null],
    [gemini, "end\\", "end\\ ", "end\\", null],
    [gemini, "  lead", "lead", "lead", "leading and trailing whitespace is removed"],
    [gemini, `a\u200b${"b".repeat(500)}`, `a\u200b${"b".repeat(500)}`, `a\u200b${"b".repeat(500)}`, null],
    [opencode, "/clear it", "\\/clear it", "\\/clear it", BACKSLASH],
    [opencode, "quit", "\\quit", "\\quit", BACKSLASH],
    [opencode, " trail \n", " trail \n", " trail \n", null],
    [opencode, "\ufeffmark", "\ufeffmark", "mark", "a byte order mark at the beginning is removed"],
    [opencode, "mid @x", "mid @x ", "mid @x ", "a space is appended"],
    [opencode, "\na\nb\nc\n", "\na\nb\nc\n", "a\nb\nc ", expect.stringContaining("one space at the end")],
  ])("for $title: %j", (agent, text, typed, arrives, altered) => {
    expect(agent.text?.plan(text)).toEqual({ kind: "typed", typed, arrives, altered });
  });

  test("rejects a text that would arrive empty", () => {
    expect(claude.text?.plan("\u200b")).toMatchObject({ kind: "refused" });
    expect(arrivalOf(claude, "\u200b")).toBeNull();
  });
});

test("does not report a change that a later one reverts", () => {
  const rules = agentText({
    refuses: () => null,
    guards: [{ says: "a space is added", apply: (text) => `${text} ` }],
    alters: [{ says: "it is trimmed", apply: (text) => text.trim() }],
  });
  expect(rules.plan("a")).toMatchObject({ typed: "a ", arrives: "a", altered: null });
  expect(rules.plan(" a")).toMatchObject({ arrives: "a", altered: "it is trimmed" });
});
