import { describe, expect, test } from "vitest";
import type { Observation } from "../src/adapter.js";
import { claude } from "../src/index.js";
import { recordedScreens } from "./recorded-screens.js";

const SCREENS = recordedScreens("claude-2.1.197");
const empty = recorded("ready-empty");
const draft = recorded("draft");
const working = recorded("working");

describe("text has arrived in Claude's input", () => {
  test("when the input shows it", () => {
    const look = { before: empty, now: draft, text: "an unsent draft of a prompt" };
    expect(claude.arrived(look)).toBe("the input shows the text");
  });

  test("when the input shows a placeholder that was not there", () => {
    const text = `${"line\n".repeat(20)}line`;
    expect(claude.arrived({ before: empty, now: recorded("draft-paste-placeholder"), text })).toContain("placeholder");
    const placeholder = recorded("draft-paste-placeholder");
    expect(claude.arrived({ before: placeholder, now: placeholder, text })).toBeNull();
    expect(claude.arrived({ before: empty, now: placeholder, text: `${text}\nand one more` })).toBeNull();
    const more = withInput(["❯ [Pasted text #2 +20 lines] and more"]);
    expect(claude.arrived({ before: placeholder, now: more, text })).toBeNull();
  });

  test("when it is drawn over several rows, with tabs as spaces", () => {
    const now = withInput(["❯ first line", "  second    line with a t", "  ail"]);
    expect(claude.arrived({ before: empty, now, text: "first line\nsecond\tline with a tail" })).not.toBeNull();
  });

  test("when it is longer than the input, which scrolls and counts the rows above", () => {
    const rows = Array.from({ length: 20 }, (_, i) => `row ${i} of a text that is longer than the input shows`);
    const edge = "─── ↑ 301 more ".padEnd(empty.columns, "─");
    const input = empty.cursor.row;
    const lines = empty.lines.toSpliced(input - 1, 2, edge, ...rows.map((row) => `  ${row}`));
    const now = { ...empty, lines, cursor: { column: 52, row: input + rows.length - 1, visible: false } };
    const text = `${"the beginning\n".repeat(301)}${rows.join("\n")}`;
    expect(claude.read(now).draft).toBe(rows.join("\n"));
    expect(claude.arrived({ before: empty, now, text })).toBe("the input shows the text");
    expect(claude.arrived({ before: empty, now, text: `${text} and more` })).toBeNull();
  });

  test("but not when it is elsewhere on the screen, or incomplete", () => {
    const text = "RUN:touch made-by-agent.txt";
    expect(claude.arrived({ before: empty, now: recorded("idle-after-approval"), text })).toBeNull();
    expect(claude.arrived({ before: empty, now: withInput(["❯ first li"]), text: "first line" })).toBeNull();
    expect(claude.arrived({ before: draft, now: draft, text: "an unsent draft of a prompt" })).toBeNull();
    expect(claude.arrived({ before: empty, now: recorded("permission-shell"), text })).toBeNull();
  });
});

describe("text has left Claude's input", () => {
  const text = "an unsent draft of a prompt";

  test("when the input is empty again, or Claude works", () => {
    expect(claude.submitted({ typed: draft, now: empty, text })).toBe("the input is empty again");
    expect(claude.submitted({ typed: draft, now: working, text })).toBe("the input is empty and Claude works");
    expect(claude.submitted({ typed: draft, now: recorded("queued-message"), text })).toBe("the input is empty and Claude works");
  });

  test("when Claude already asks a question, or has ended", () => {
    expect(claude.submitted({ typed: draft, now: recorded("permission-shell"), text })).toBe("Claude asks a question");
    expect(claude.submitted({ typed: draft, now: recorded("exit-pane-dead"), text: "/exit" })).toBe("Claude has ended");
  });

  test("but not while the text is still there, even when Claude works on another prompt", () => {
    expect(claude.submitted({ typed: draft, now: draft, text })).toBeNull();
    const stillThere = { ...withInput(["❯ an unsent draft of a prompt"]), title: "⠐ Claude Code" };
    expect(claude.read(stillThere).state).toBe("working");
    expect(claude.submitted({ typed: draft, now: stillThere, text })).toBeNull();
  });

  test("but not when a set-up dialog replaced it, which may have consumed the text", () => {
    expect(claude.submitted({ typed: draft, now: recorded("trust"), text })).toBeNull();
    expect(claude.submitted({ typed: draft, now: recorded("transcript"), text })).toBeNull();
  });
});

describe("draft in Claude's input", () => {
  test("is empty when Claude proposes a prompt in grey, with the cursor before it", () => {
    const now = withInput(['❯ Try "fix the tests"']);
    expect(claude.read({ ...now, cursor: { ...now.cursor, column: 2 } }).draft).toBe("");
    expect(claude.read(now).draft).toBe('Try "fix the tests"');
  });

  test("includes the `!` of shell mode", () => {
    expect(claude.read(recorded("composer-bash-mode"))).toMatchObject({ state: "idle", draft: "!" });
  });

  test("is unknown while a dialog is open", () => {
    expect(claude.read(recorded("permission-shell")).draft).toBeNull();
    expect(claude.read(recorded("trust")).draft).toBeNull();
  });
});

describe("hints", () => {
  test.each([
    ["trust", /trust this folder/],
    ["onboarding-theme", /finish the set-up/],
    ["onboarding-security", /press Enter/],
    ["onboarding-api-key", /API key/],
    ["login", /log in/],
    ["bypass-permissions-start", /without permission prompts/],
    ["mcp-approval-dialog", /MCP servers/],
    ["session-resume-picker", /choose the conversation/],
    ["permission-shell", /allow or refuse/],
    ["question", /answer it/],
    ["api-error-400", /send again/],
    ["api-error-retrying", /retries on its own/],
  ])("exist for %s", (name, hint) => {
    expect(claude.read(recorded(name)).hint).toMatch(hint);
  });
});

function recorded(name: string): Observation {
  return SCREENS.find((screen) => screen.name === name)?.observation ?? expect.unreachable(`no recorded screen ${name}`);
}

/** The empty screen with other rows in its input, and the cursor after the last one. */
function withInput(rows: readonly string[]): Observation {
  const input = empty.cursor.row;
  const cursor = { column: rows.at(-1)?.length ?? 0, row: input + rows.length - 1, visible: false };
  return { ...empty, lines: empty.lines.toSpliced(input, 1, ...rows), cursor };
}
