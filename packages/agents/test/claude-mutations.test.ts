import { describe, expect, test } from "vitest";
import type { Observation } from "../src/adapter.js";
import { claude } from "../src/index.js";
import { type RecordedScreen, recordedScreens } from "./recorded-screens.js";

const SCREENS = [...recordedScreens("claude-2.1.197"), ...recordedScreens("claude-2.1.332")];
const ALIVE = SCREENS.filter(({ observation }) => !observation.dead && observation.command === "claude");
const WITH_INPUT = ALIVE.filter(({ observation }) => claude.read(observation).draft !== null);
const TAIL = 12;

describe("Claude's state is read from the last block only", () => {
  test("another screen printed above, as by a tool or the model, changes nothing", () => {
    const printed = SCREENS.map(({ observation }) => endOf(observation).map((row, i) => (i === 0 ? `  ⎿  ${row}` : `     ${row}`)));
    for (const screen of WITH_INPUT) {
      for (const rows of printed) expectSame(screen, insertAbove(screen.observation, [...rows, ""]));
    }
  });

  test("another screen left above by an earlier Claude changes nothing", () => {
    for (const screen of ALIVE.filter(({ observation }) => hasRule(observation))) {
      for (const { observation } of SCREENS) expectSame(screen, insertAtTop(screen.observation, endOf(observation)));
    }
  });

  test("a user's prompt that quotes a dialog changes nothing", () => {
    const quote = ["❯ what does this mean:", "  Do you want to proceed?", "  ❯ 1. Yes", "    2. No", "  Esc to cancel · Tab to amend", ""];
    for (const screen of WITH_INPUT) expectSame(screen, insertAbove(screen.observation, quote));
  });

  test("a command that quotes the set-up is still an approval", () => {
    const { observation } = named("permission-shell");
    for (const words of [
      "Security notes:",
      "Accessing workspace:",
      "Choose the text style that looks best",
      "1. Yes, I trust this folder",
    ]) {
      const lines = observation.lines.map((row) => row.replace("touch made-by-agent.txt", words));
      expect(claude.read({ ...observation, lines }).state).toBe("awaiting_approval");
    }
  });
});

describe("Claude's state does not depend on", () => {
  test("the scroll position", () => {
    for (const screen of WITH_INPUT) {
      const spare = firstRuleOfInput(screen.observation) - 3;
      for (let rows = 1; rows <= spare; rows++) {
        const scrolled = scroll(screen.observation, rows);
        if (screen.state !== "errored") expectSame(screen, scrolled);
        else expect(["errored", "idle"]).toContain(claude.read(scrolled).state);
      }
    }
  });

  test("blank rows below, or the window's width", () => {
    for (const screen of ALIVE) {
      const { observation } = screen;
      expectSame(screen, { ...observation, lines: [...observation.lines, "", "", ""] });
      const columns = observation.columns + 37;
      const lines = observation.lines.map((row) => (isRule(row, observation) ? "─".repeat(columns) : row));
      expectSame(screen, { ...observation, columns, lines });
    }
  });

  test("the names and verbs shown", () => {
    const renamed: readonly (readonly [RegExp, string])[] = [
      [/Mock title/g, "Fix: esc to interrupt (Do you want to proceed?)"],
      [/(Accomplishing|Ruminating|Mulling|Vibing|Zesting)/g, "Frobnicating"],
      [/\b(Cooked|Churned|Baked|Brewed|Worked|Sautéed|Crunched|Cogitated) for/g, "Frobbed for"],
      [/made-by-agent|second-file/g, "naïve 漢字"],
    ];
    for (const screen of ALIVE) {
      for (const [from, to] of renamed) {
        const { lines, title } = screen.observation;
        expectSame(screen, { ...screen.observation, title: title.replace(from, to), lines: lines.map((row) => row.replace(from, to)) });
      }
    }
  });

  test("the title, which another program or setting may suppress", () => {
    for (const screen of ALIVE) expectSame(screen, { ...screen.observation, title: "host" });
  });
});

test("a half-painted screen is never read as another state with high confidence", () => {
  for (const { name, state, observation } of ALIVE) {
    for (let rows = 0; rows < observation.lines.length; rows++) {
      const reading = claude.read({ ...observation, lines: observation.lines.slice(0, rows) });
      if (reading.state !== state) expect(reading.confidence, `${name} cut to ${rows} rows: ${reading.state}`).toBeLessThanOrEqual(0.75);
    }
  }
});

test("idle has high confidence only when input, footer and title agree", () => {
  const { observation } = named("ready-empty");
  expect(claude.read(observation).confidence).toBeGreaterThan(0.9);
  expect(claude.read({ ...observation, title: "host" }).confidence).toBeLessThan(0.7);
  expect(claude.read({ ...observation, title: "⠐ busy" })).toMatchObject({ state: "working", source: "title" });
});

describe("a lookalike is not read as", () => {
  test("the input when its rules are too short, or a shell prompt is below it", () => {
    const { observation } = named("ready-empty");
    const short = observation.lines.map((row) => (isRule(row, observation) ? "─".repeat(40) : row));
    expect(claude.read({ ...observation, lines: short }).state).toBe("unknown");
    const below = [...observation.lines.slice(0, observation.cursor.row + 3), "demo$ "];
    expect(claude.read({ ...observation, lines: below, cursor: { column: 6, row: below.length - 1, visible: false } }).state).toBe(
      "unknown",
    );
  });

  test("an approval when the cursor is not on an answer", () => {
    const { observation } = named("permission-shell");
    const cursor = { column: 0, row: observation.lines.length, visible: false };
    expect(claude.read({ ...observation, cursor }).state).not.toBe("awaiting_approval");
  });

  test("a confident question when its beginning is not visible", () => {
    const { observation } = named("permission-shell-60x18");
    expect(claude.read(observation).confidence).toBeGreaterThan(0.9);
    const rule = observation.lines.findLastIndex((row) => isRule(row, observation));
    expect(claude.read(scroll(observation, rule + 1))).toMatchObject({ state: "awaiting_approval", confidence: 0.7 });
  });
});

function named(name: string): RecordedScreen {
  return SCREENS.find((screen) => screen.name === name) ?? expect.unreachable(`no recorded screen ${name}`);
}

function expectSame({ name, state }: RecordedScreen, mutant: Observation): void {
  const reading = claude.read(mutant);
  expect({ name, state: reading.state, lines: reading.state === state ? [] : mutant.lines }).toEqual({ name, state, lines: [] });
}

function isRule(row: string, { columns }: Observation): boolean {
  return row === "─".repeat(columns);
}

function hasRule(observation: Observation): boolean {
  return observation.lines.some((row) => isRule(row, observation));
}

function firstRuleOfInput(observation: Observation): number {
  const last = observation.lines.findLastIndex((row) => isRule(row, observation));
  return observation.lines.slice(0, last).findLastIndex((row) => isRule(row, observation) || /^─{20,} .* ─+$/.test(row));
}

function endOf({ lines }: Observation): readonly string[] {
  return lines.slice(0, lines.findLastIndex((row) => row !== "") + 1).slice(-TAIL);
}

/** Above the last block of the conversation, which shows how the last turn ended. */
function insertAbove(observation: Observation, rows: readonly string[]): Observation {
  const head = observation.lines.slice(0, firstRuleOfInput(observation));
  const block = head.findLastIndex((row) => /^(?:●|❯)/.test(row));
  return insertAt(observation, { index: Math.max(0, block), rows: ["● Bash(cat file)", ...rows] });
}

function insertAtTop(observation: Observation, rows: readonly string[]): Observation {
  return insertAt(observation, { index: 0, rows });
}

function insertAt(observation: Observation, { index, rows }: { readonly index: number; readonly rows: readonly string[] }): Observation {
  const { lines, cursor } = observation;
  const row = cursor.row >= index ? cursor.row + rows.length : cursor.row;
  return { ...observation, lines: lines.toSpliced(index, 0, ...rows), cursor: { ...cursor, row } };
}

function scroll(observation: Observation, rows: number): Observation {
  const { lines, cursor, historySize } = observation;
  return { ...observation, lines: lines.slice(rows), cursor: { ...cursor, row: cursor.row - rows }, historySize: historySize + rows };
}
