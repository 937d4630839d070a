import { visibleWidth } from "@mariozechner/pi-tui";
import { describe, expect, test } from "vitest";
import { cells } from "../../src/top/cells.js";
import type { TopState } from "../../src/top/state.js";
import { frame } from "../../src/top/view/frame.js";
import { helpPage } from "../../src/top/view/help-page.js";
import { after, approval, session, topWith } from "./sessions.js";

const EVIL = "a\u001b[2Jb\u009b31mc\u202ed\u0007e\rf\u0000";
const WIDE = "日本語テキスト e\u0301 👩‍👩‍👧‍👦 한국어 ｆｕｌｌ";
const sizes = [
  { columns: 60, rows: 18 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 30 },
  { columns: 220, rows: 60 },
  { columns: 20, rows: 6 },
];

function drawn(state: TopState, { colour = false, unicode = true } = {}): readonly string[] {
  return frame(state, { cells: cells({ unicode }), painting: { colour }, unicode, userHome: "/home/me", prompt: null });
}

const text = (lines: readonly string[]) => lines.map((line) => line.replace(/\u001b\[[\d;]*[mG]/g, "").trimEnd()).join("\n");

function busy(size: { columns: number; rows: number }): TopState {
  const many = Array.from({ length: 200 }, (_, at) =>
    session(`s${String(at).padStart(3, "0")}`, at % 3 === 0 ? "working" : "idle", { task: at % 2 === 0 ? WIDE.repeat(5) : EVIL }),
  );
  const asks = session("asks", "awaiting_approval", { decision: approval(`${EVIL}${WIDE}`.repeat(9)), cwd: `/srv/${EVIL}` });
  const state = topWith([...many, asks], size);
  const lines = [...Array.from({ length: 40 }, () => WIDE.repeat(20)), EVIL.repeat(30), "", ""];
  return after(
    state,
    { kind: "screen", screen: { session: asks.id, lines, cursorRow: 41, live: true } },
    { kind: "noted", notice: { text: EVIL, tone: "red" } },
  );
}

describe.each(sizes)("in $columns x $rows", (size) => {
  test("it has exactly the rows of the terminal, none wider than it", () => {
    for (const state of [busy(size), after(busy(size), { kind: "command", command: "help" }), topWith([], size)]) {
      const lines = drawn(state, { colour: true });
      expect(lines).toHaveLength(size.rows);
      for (const line of lines) expect(visibleWidth(line.replace(/\u001b\[\d+G/g, ""))).toBeLessThanOrEqual(size.columns);
    }
  });

  test("no text of a session reaches the terminal as a control character", () => {
    for (const line of drawn(busy(size), { colour: true })) {
      expect(line.replace(/\u001b\[(?:[\d;]*m|\d+G)/g, "")).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
      );
    }
  });

  test("without Unicode it is ASCII only", () => {
    expect(drawn(busy(size), { unicode: false }).join("")).toMatch(/^[\x20-\x7e\u001b]*$/);
  });
});

test("without colour only bold and reverse are used, and the selected session and those that need the user are still marked", () => {
  const lines = drawn(busy({ columns: 120, rows: 30 }));
  expect(lines.join("")).not.toMatch(/\u001b\[(?:[\d;]*;)?(?:2|3\d)m/);
  expect(text(lines)).toMatch(/^>! approval +1h asks .*approve Bash: a/m);
});

test("a wide terminal has agent and project, and the screen next to the list", () => {
  const state = topWith([session("demo", "idle", { agent: "claude", project_id: "web" })], { columns: 220, rows: 20 });
  const screen = { session: state.selected ?? "", lines: ["one", "two", "", ""], cursorRow: 1, live: true };
  expect(
    text(drawn(after(state, { kind: "screen", screen })))
      .split("\n")
      .slice(0, 4),
  ).toEqual([
    "tmpm top  nothing needs your attention  0 working  1 idle  1 in all",
    expect.stringMatching(/^>- idle {7}1h demo +claude {3}web +│ demo {2}- idle 1h {2}claude {2}web {2}~\/work$/),
    expect.stringMatching(/^ +│ one$/),
    expect.stringMatching(/^ +│ two$/),
  ]);
});

test("a narrow one has the screen below the list, and every key in its last lines", () => {
  const asks = session("demo", "awaiting_approval", { decision: approval("make") });
  const shown = text(drawn(topWith([asks, session("other", "working")], { columns: 60, rows: 18 }))).split("\n");
  expect(shown[1]).toMatch(/^>! approval +1h demo +shell +approve Bash: make$/);
  expect(shown.slice(-2)).toEqual([
    "Enter attach  s send  a approve  d deny  x stop  r resume",
    "c changes  / filter  f find  Tab view  ? help  q quit",
  ]);
  expect(shown.indexOf("a approve  d deny  1 Yes  2 No")).toBeGreaterThan(2);
});

test("the end of the screen is shown, or earlier lines when it is scrolled", () => {
  const state = topWith([session("demo", "idle")], { columns: 60, rows: 18 });
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
  const seen = after(state, { kind: "screen", screen: { session: state.selected ?? "", lines, cursorRow: 99, live: true } });
  expect(text(drawn(seen))).toContain("line 99");
  const up = text(drawn(after(seen, { kind: "command", command: "screen_up" })));
  expect([up.includes("line 94\n"), up.includes("line 95")]).toEqual([true, false]);
});

test("sessions that need the user stay visible as long as the selected one is, and help is complete in a narrow terminal", () => {
  const rest = Array.from({ length: 20 }, (_, index) => session(`s${String(index).padStart(2, "0")}`, "idle"));
  const sessions = [session("asks", "awaiting_approval", { decision: approval("make") }), ...rest];
  const down = Array.from({ length: 4 }, () => ({ kind: "command", command: "down" }) as const);
  const state = after(topWith(sessions, { columns: 60, rows: 18 }), ...down);
  expect(text(drawn(state))).toMatch(/^ ! approval.*asks.*^>- idle.*s03/ms);
  const help = helpPage(60).map((line) => line.map((span) => span.text).join(""));
  expect([help.every((line) => line.length <= 60), help.join(" ").replace(/ +/g, " ")]).toEqual([
    true,
    expect.stringContaining("until you detach"),
  ]);
});

test("the selected session of 200 is visible", () => {
  const state = after(
    busy({ columns: 60, rows: 18 }),
    ...Array.from({ length: 120 }, () => ({ kind: "command", command: "down" }) as const),
  );
  expect(
    text(drawn(state))
      .split("\n")
      .filter((line) => line.startsWith(">")),
  ).toHaveLength(1);
});

test("it shows that the daemon does not answer, and that records cannot be read", () => {
  const state = after(topWith([session("demo", "idle")]), { kind: "connected", connected: false });
  expect(text(drawn(state))).toContain("RECONNECTING to the daemon");
  expect(text(drawn(after(state, { kind: "listed", node: null, sessions: [], problems: 2 })))).toContain("2 unreadable");
});
