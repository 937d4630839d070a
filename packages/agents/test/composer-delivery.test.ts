import { describe, expect, test } from "vitest";
import type { AgentAdapter, Observation } from "../src/adapter.js";
import { claude, codex, gemini, opencode } from "../src/index.js";
import { composerDelivery } from "../src/screen/composer-delivery.js";
import { type RecordedScreen, recordedScreens } from "./recorded-screens.js";

const TEXT = "an unsent draft of a prompt";
const LONG =
  "A longer draft that must wrap over several rows of a narrow terminal because it goes on and on, with ünïcödé and 漢字 in it, to the very end.";
const PASTED = Array.from({ length: 60 }, (_, i) => `row ${i} of a pasted text that has some length to it`).join("\n");

const SUBJECTS: readonly (readonly [string, AgentAdapter, readonly RecordedScreen[]])[] = [
  ["Codex", codex, recordedScreens("codex-0.171.0")],
  ["Gemini CLI", gemini, recordedScreens("gemini-0.61.0")],
  ["OpenCode", opencode, recordedScreens("opencode-1.18.33")],
];

describe.each(SUBJECTS)("text for %s", (_, adapter, screens) => {
  const named = (name: string): Observation => screens.find((screen) => screen.name === name)?.observation ?? expect.unreachable(name);
  const empty = named("ready-empty");
  const draft = named("draft");

  test("has arrived once the input shows it, not before", () => {
    expect(adapter.read(empty).draft).toBe("");
    expect(adapter.read(draft).draft).toBe(TEXT);
    expect(adapter.arrived({ before: empty, now: draft, text: TEXT })).toBe("the input shows the text");
    expect(adapter.arrived({ before: draft, now: draft, text: TEXT })).toBeNull();
    expect(adapter.arrived({ before: empty, now: draft, text: `${TEXT} and more` })).toBeNull();
    expect(adapter.arrived({ before: empty, now: named("permission-shell"), text: TEXT })).toBeNull();
  });

  test.each(["60x18", "80x24", "100x14", "200x50"])("has arrived wrapped, or as a placeholder, at %s", (size) => {
    const before = named(`ready-${size}`);
    expect(adapter.arrived({ before, now: named(`draft-long-${size}`), text: LONG })).toBe("the input shows the text");
    expect(adapter.arrived({ before, now: named(`draft-paste-${size}`), text: PASTED })).toContain("placeholder");
  });

  test("has left once the input is empty, it works, asks or has ended", () => {
    expect(adapter.submitted({ typed: draft, now: named("idle-after-turn"), text: TEXT })).toBe("the input is empty again");
    expect(adapter.submitted({ typed: draft, now: named("working"), text: TEXT })).toContain("works");
    expect(adapter.submitted({ typed: draft, now: named("permission-shell"), text: TEXT })).toContain("asks a question");
    expect(adapter.submitted({ typed: draft, now: named("exit-pane-dead"), text: TEXT })).toContain("has ended");
  });

  test("has not left while it is in the input", () => {
    expect(adapter.submitted({ typed: draft, now: draft, text: TEXT })).toBeNull();
  });

  test("is still seen with the cursor at its start; only the agent's suggestion is ignored", () => {
    const home = { ...draft, cursor: { ...draft.cursor, column: empty.cursor.column } };
    expect(adapter.read(home).draft).toBe(TEXT);
  });
});

test.each([
  ["/tmp/pixel.png", "[Image pixel.png]"],
  ["/tmp/a\\ picture\\ of\\ it.png", "[Image ...ture of it.png]"],
])("Gemini CLI shows a short name for the image %s", (path, name) => {
  const [empty, draft] = [named("gemini-0.61.0", "ready-empty"), named("gemini-0.61.0", "draft")];
  const shows = (shown: string) => ({ ...draft, lines: draft.lines.map((row) => row.replace(TEXT, shown)) });
  const text = `@${path}\nWhat is in it?`;
  expect(gemini.arrived({ before: empty, now: shows(`${name} What is in it?`), text })).toBe("the input shows the text");
  expect(gemini.arrived({ before: empty, now: shows(`@${path} What is in it?`), text })).toBe("the input shows the text");
  expect(gemini.mixed?.({ before: empty, now: shows(name), text })).toBeNull();
  expect(gemini.mixed?.({ before: empty, now: shows(`${name} What is in it?zz`), text })).toContain("other text");
  expect(gemini.submitted({ typed: draft, now: shows(`${name} What is in it?`), text })).toBeNull();
});

test("Gemini CLI's input is also read without edges, in a terminal without true colour", () => {
  for (const size of ["120x40", "60x18"]) {
    const [empty, draft] = [named("gemini-0.61.0", `plain-ready-${size}`), named("gemini-0.61.0", `plain-draft-${size}`)];
    expect(gemini.read(empty).draft).toBe("");
    expect(gemini.arrived({ before: empty, now: draft, text: TEXT })).toBe("the input shows the text");
  }
});

describe("approval", () => {
  test.each(SUBJECTS)("%s: reports the exact command, allowed by the first answer and denied by Escape", (_, adapter, screens) => {
    for (const { name, observation } of screens.filter(({ name }) => /^permission-(?:shell|\d)/.test(name))) {
      const reading = adapter.read(observation);
      const subject = name === "permission-shell" ? "touch made-by-agent.txt" : "touch made-here.txt";
      expect(reading.decision, name).toMatchObject({ kind: "approval", subject });
      expect(adapter.approve(reading)).toEqual(["Enter"]);
      expect(adapter.deny(reading)).toEqual(["Escape"]);
    }
  });

  test("reports a command with empty lines as a whole, without the bars that Claude draws", () => {
    const { decision } = codex.read(named("codex-0.171.0", "permission-lines-120x40"));
    expect(decision?.subject).toBe("cat > app.py <<'EOF'\nimport os\n\n\nif __name__ == '__main__':\n    print(os.name)\nEOF");
    expect(claude.read(named("claude-2.1.332", "permission-lines")).decision?.subject).toBe("echo ok > made.txt\n\n\ncat made.txt");
  });

  test("Codex: a command that contains a question is not answered by its screen", () => {
    const screen = named("codex-0.171.0", "permission-lines-120x40");
    const lines = screen.lines.map((row) => row.replace("  if __name__ == '__main__':", "  Would you like to run the following command?"));
    const reading = codex.read({ ...screen, lines });
    expect(reading).toMatchObject({ state: "awaiting_approval", decision: null });
    expect(codex.approve(reading)).toBeNull();
  });

  test.each(SUBJECTS.slice(0, 2))("%s: keys follow the mark when the user moves it", (_, adapter, screens) => {
    const { observation } = screens.find(({ name }) => name === "permission-shell") ?? expect.unreachable();
    const lines = observation.lines.map((row) => row.replace(/[›●] 1\./, "  1.").replace(/ {2}3\./, adapter === codex ? "› 3." : "● 3."));
    const reading = adapter.read({ ...observation, lines });
    expect(adapter.approve(reading)).toEqual(["Up", "Up", "Enter"]);
    expect(reading.decision?.choices.map(({ keys }) => keys)).toEqual([["Up", "Up", "Enter"], ["Up", "Enter"], ["Enter"]]);
  });

  test("Codex: reports a question with its answers, without their explanations", () => {
    for (const size of ["200x50", "80x24"]) {
      const { decision } = codex.read(named("codex-0.171.0", `question-${size}`));
      expect(decision).toMatchObject({ kind: "question", subject: "Which colour?" });
      expect(decision?.choices.map(({ label, keys }) => [label, keys])).toEqual([
        ["Red", ["Enter"]],
        ["Blue", ["Down", "Enter"]],
        ["None of the above", ["Down", "Down", "Enter"]],
      ]);
    }
  });

  test("Gemini: reports a question above a scrolled list, without the arrows", () => {
    const shown = named("gemini-0.61.0", "question-200x50");
    const lines = shown.lines.flatMap((row) => (row.includes("● 1.") ? [row.replace(/● 1\.\s+Red/u, "▲        "), row] : [row]));
    expect(lines.length).toBe(shown.lines.length + 1);
    expect(gemini.read({ ...shown, lines }).decision).toMatchObject({ kind: "question", subject: "Which colour" });
  });

  test("Codex: reports a wrapped command whole, and a truncated one not at all", () => {
    const read = (size: string) => codex.read(named("codex-0.171.0", `permission-long-${size}`));
    const whole = read("120x40").decision?.subject ?? "";
    expect(whole.replace(/\s+/g, " ")).toMatch(
      /^printf "line 0 .* >> file-4\.txt && printf "line 5 of a long command that goes on and on" >> file-5\.txt$/,
    );
    expect(read("60x18")).toMatchObject({ state: "awaiting_approval", decision: null });
    expect(codex.approve(read("60x18"))).toBeNull();
    expect(squeeze(whole).startsWith(squeeze(read("60x18").cut?.pieces[0] ?? "?"))).toBe(true);
  });

  test("a truncated command is answered with the full command from a hook", () => {
    for (const [adapter, agent, name] of [
      [codex, "codex-0.171.0", "permission-long-60x18"],
      [gemini, "gemini-0.61.0", "permission-long-60x18"],
      [opencode, "opencode-1.18.33", "permission-cut-100x30"],
    ] as const) {
      const { cut, ...reading } = adapter.read(named(agent, name));
      const decision = cut?.decision ?? null;
      expect(cut?.pieces[0]).toMatch(/line \d of a long/);
      expect(cut?.pieces.join()).not.toMatch(/hidden|\[…|Allow once/);
      expect([adapter.approve({ ...reading, decision }), adapter.deny({ ...reading, decision })]).toEqual([["Enter"], ["Escape"]]);
    }
  });

  test("OpenCode: does not report a command in a full-height dialog, which may hide its end", () => {
    const wrapped = opencode.read(named("opencode-1.18.33", "permission-wrapped-100x30"));
    expect(wrapped.decision?.subject).toMatch(/ >> file-5\.txt$/);
    const cut = opencode.read(named("opencode-1.18.33", "permission-cut-100x30"));
    expect(cut).toMatchObject({ state: "awaiting_approval", decision: null });
    expect(opencode.approve(cut)).toBeNull();
  });

  test("Gemini CLI: does not report a truncated command", () => {
    const reading = gemini.read(named("gemini-0.61.0", "permission-long-60x18"));
    expect(reading).toMatchObject({ state: "awaiting_approval", decision: null });
  });

  test("Gemini CLI: reports an MCP call with its arguments, unless they are truncated", () => {
    const shown = named("gemini-0.61.0", "permission-mcp-200x50");
    const whole = gemini.read(shown);
    expect(whole.decision).toMatchObject({ kind: "approval", tool: "list_agents", subject: "(tmpm MCP Server) {}" });
    expect(gemini.approve(whole)).toEqual(["Enter"]);
    const lines = shown.lines.map((row) => row.replace("(tmpm MCP Server) {}", '(tmpm MCP Server) {"prompt":"one…'));
    expect(gemini.read({ ...shown, lines })).toMatchObject({ state: "awaiting_approval", decision: null });
  });

  test("has no keys while the agent works or is idle", () => {
    for (const [, adapter, screens] of SUBJECTS) {
      for (const { state, observation } of screens) {
        const reading = adapter.read(observation);
        if (state === "awaiting_approval") continue;
        expect(adapter.approve(reading)).toBeNull();
        expect(adapter.deny(reading)).toBeNull();
      }
    }
  });
});

function named(version: string, name: string): Observation {
  return recordedScreens(version).find((screen) => screen.name === name)?.observation ?? expect.unreachable(name);
}

function squeeze(text: string): string {
  return text.replace(/\s+/gu, "");
}

test.each(["see [Pasted text #2]", "[Pasted text #1 +3 lines]"])(
  "text that looks like a placeholder has arrived once the input shows all of it: %s",
  (text) => {
    const shows = (draft: string): Observation => ({ ...named("codex-0.171.0", "draft"), lines: [draft] });
    const { arrived, mixed } = composerDelivery({
      title: "An agent",
      read: ({ lines }) => ({ ...codex.read(named("codex-0.171.0", "draft")), draft: lines.join("\n") }),
      placeholder: /\[Pasted text #\d+[^\]]*\]/gu,
      counts: () => false,
    });
    expect(arrived({ before: shows(""), now: shows(text), text })).toBe("the input shows the text");
    expect(arrived({ before: shows(""), now: shows(text), text: `${text} and more` })).toBeNull();
    expect(mixed?.({ before: shows(""), now: shows(text), text })).toBeNull();
  },
);
