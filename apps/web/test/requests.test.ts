import type { SessionAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { shownView } from "../src/state/route.js";
import { listed, questionClosed, requests, sessions } from "../src/state/sessions.js";
import { isComposition, sendsByEnter } from "../src/view/session/sends-by-enter.js";
import { about, hasTerminal } from "../src/words/session-words.js";

function session(name: string, part: object = {}): SessionAnswer {
  const activity = { state: "working", since: "2026-01-02T03:00:00Z", evidence: [] };
  const rest = { state: "active", control: "Tmux", paused_at: null, decision: null, question: null, hint: null, last_lines: [], task: "" };
  return { id: name, name, activity, thought: { thought: null }, ...rest, ...part } as unknown as SessionAnswer;
}

const question = (asked_at: string, text = "Which database?") => ({ id: `q-${text}`, question: text, choices: [], asked_at });
const decision = (since: string) => ({ id: "d", kind: "approval", tool: "Bash", subject: "touch it", choices: [], since });

test("approvals and questions of all sessions are the open requests, longest waiting first", () => {
  const both = session("both", { decision: decision("2026-01-02T03:02:00Z"), question: question("2026-01-02T03:04:00Z") });
  const asked = session("asked", { question: question("2026-01-02T03:03:00Z") });
  listed({ sessions: [session("quiet"), both, asked], problems: [] } as unknown as Parameters<typeof listed>[0]);
  expect(requests.value.map(({ kind, session: { name } }) => [name, kind])).toEqual([
    ["both", "decision"],
    ["asked", "question"],
    ["both", "question"],
  ]);
  questionClosed("asked", "another");
  expect(requests.value).toHaveLength(3);
  questionClosed("asked", asked.question?.id ?? "");
  expect(requests.value).toHaveLength(2);
  expect(sessions.value.get("asked")?.question).toBeNull();
});

test("a row shows the question on the screen, else the one asked through tmpm", () => {
  const asked = question("2026-01-02T03:04:00Z", "Which\ndatabase?");
  expect(about(session("a", { question: asked }))).toBe("Which database?");
  expect(about(session("a", { question: asked, decision: decision("2026-01-02T03:04:00Z") }))).toBe("asks to use Bash: touch it");
});

test("a session without a terminal is shown as text", () => {
  expect(["Tmux", "Pty", "Sdk"].map((control) => hasTerminal(session("a", { control })))).toEqual([true, true, false]);
  expect(hasTerminal(session("a", { state: "stopped" }))).toBe(false);
  expect(shownView(null, { isPhone: false, terminal: true })).toBe("terminal");
  expect(shownView("terminal", { isPhone: false, terminal: false })).toBe("reading");
  expect(shownView(null, { isPhone: true, terminal: true })).toBe("reading");
  expect(shownView("changes", { isPhone: false, terminal: false })).toBe("changes");
});

test("Enter sends, except when it ends a composition, and on a phone", () => {
  const enter = { key: "Enter", keyCode: 13, shiftKey: false, ctrlKey: false, metaKey: false, isComposing: false };
  expect(sendsByEnter(enter, false)).toBe(true);
  expect(sendsByEnter(enter, true)).toBe(false);
  expect(sendsByEnter({ ...enter, ctrlKey: true }, true)).toBe(true);
  expect(sendsByEnter({ ...enter, shiftKey: true }, false)).toBe(false);
  expect(sendsByEnter({ ...enter, isComposing: true }, false)).toBe(false);
  // Safari ends the composition before it reports the key.
  expect(sendsByEnter({ ...enter, keyCode: 229 }, false)).toBe(false);
  expect(isComposition({ isComposing: false, keyCode: 229 })).toBe(true);
});
