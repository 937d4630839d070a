import { describe, expect, test } from "vitest";
import type { AgentAdapter, Observation } from "../src/adapter.js";
import { codex, gemini, opencode } from "../src/index.js";
import { type RecordedScreen, recordedScreens } from "./recorded-screens.js";

interface Subject {
  readonly adapter: AgentAdapter;
  readonly screens: readonly RecordedScreen[];
  /** The first row of the last block: the input, or a dialog, with everything that shows the agent's current activity. */
  readonly lastBlock: (observation: Observation) => number;
  /** The agent's format for output of a tool or the model. */
  readonly printed: (rows: readonly string[]) => readonly string[];
  /** Words of the recordings, and alternatives. */
  readonly renamed: readonly (readonly [RegExp, string])[];
  /** Alternative wordings of another version. */
  readonly reworded: readonly (readonly [RegExp, string])[];
}

const NAMES = [
  [/Mock title/g, "Do you want to proceed? esc to interrupt"],
  [/made-by-agent|made-here|second-file/g, "naïve 漢字"],
  [/mock-model|Mock Model/g, "gpt-9 · Working"],
] as const;

const SUBJECTS: readonly Subject[] = [
  {
    adapter: codex,
    screens: [...recordedScreens("codex-0.171.0"), ...recordedScreens("codex-0.150.1")],
    lastBlock: ({ lines }) => lines.findLastIndex((row) => /^(?:›|[•◦■] )/.test(row) && !/^› [2-9]\./.test(row)),
    printed: (rows) => ["• Ran cat file", ...rows.map((row, i) => (i === 0 ? `  └ ${row}` : `    ${row}`)), ""],
    renamed: NAMES,
    reworded: [
      [/\? for shortcuts/, "? for help"],
      [/Press enter to confirm or esc to cancel/, "enter accepts, esc cancels"],
      [/› Ask Codex to do anything/, "› What shall we do?"],
      [/^.*⚠.*$/, ""],
    ],
  },
  {
    adapter: gemini,
    screens: recordedScreens("gemini-0.61.0"),
    lastBlock: ({ lines }) => lines.findLastIndex((row) => /^(?:✕|ℹ|✦| [⠀-⣿]|─{20}|╭)/.test(row)),
    printed: (rows) => ["╭──────────╮", "│ ✓  Shell cat file │", ...rows.map((row) => `│ ${row} │`), "╰──────────╯"],
    renamed: NAMES,
    reworded: [
      [/Type your message or @path\/to\/file/, "Say something"],
      [/workspace \(\/directory\)/, "folder"],
      [/Shift\+Tab to accept edits/, "YOLO Ctrl+Y"],
      [/\? for shortcuts/, ""],
    ],
  },
  {
    adapter: opencode,
    screens: recordedScreens("opencode-1.18.33"),
    lastBlock({ lines }) {
      const end = lines.findLastIndex((row) => /^\s*[┃╹]/.test(row));
      return lines.slice(0, end).findLastIndex((row) => !/^\s*┃/.test(row)) + 1;
    },
    printed: (rows) => ["", "  ┃", "  ┃  $ cat file", "  ┃", ...rows.map((row) => `  ┃  ${row}`), "  ┃", "", "     It is done.", ""],
    renamed: NAMES,
    reworded: [
      [/ctrl\+p commands/, "ctrl+k menu"],
      [/Build · /, "Plan · "],
      [/esc interrupt/, "esc stop"],
    ],
  },
];

const EVERY = [...SUBJECTS.flatMap(({ screens }) => screens), ...recordedScreens("claude-2.1.197")];
/** Every pair of screens at full scale. */
const STRIDE = Number(process.env.TMPM_TEST_SCALE ?? 1) >= 10 ? 1 : 6;
const SOME = EVERY.filter(({ observation }, i) => !observation.dead && i % STRIDE === 0);

describe.each(SUBJECTS.map((subject) => [subject.adapter.title, subject] as const))("reading %s", { timeout: 120_000 }, (_, subject) => {
  const { adapter, screens, renamed, reworded } = subject;
  const alive = screens.filter(({ observation }) => !observation.dead && observation.command !== "bash");
  const idle = alive.filter(({ state }) => state === "idle");

  test("ignores a file with another agent's screen, printed by `cat`", () => {
    for (const screen of idle.filter((_, i) => i % STRIDE === 0)) {
      for (const { observation } of SOME) {
        const mutant = insert(screen.observation, {
          index: subject.lastBlock(screen.observation),
          rows: subject.printed(endOf(observation)),
        });
        expectSame(adapter, screen, mutant);
        expect(adapter.read(mutant).decision).toBeNull();
      }
    }
  });

  test("ignores another screen left above", () => {
    for (const screen of alive.filter(({ state }, i) => state !== "idle" || i % STRIDE === 0)) {
      for (const { observation } of SOME) {
        const mutant = insert(screen.observation, { index: 0, rows: [...endOf(observation), ""] });
        // OpenCode's last turn is read from counted blocks; on its own screen, the blocks above them are always of the same conversation.
        const counted = screen.state === "errored" || (screen.state === "idle" && adapter === opencode);
        if (counted) expect(["errored", "idle"]).toContain(adapter.read(mutant).state);
        else expectSame(adapter, screen, mutant);
      }
    }
  });

  test("does not depend on the scroll position", () => {
    for (const screen of alive.filter(({ observation }) => adapter.read(observation).draft !== null)) {
      for (let rows = 1; rows < subject.lastBlock(screen.observation) - 2; rows++) {
        const mutant = scroll(screen.observation, rows);
        if (screen.state !== "errored") expectSame(adapter, screen, mutant);
        else expect(["errored", "idle"]).toContain(adapter.read(mutant).state);
      }
    }
  });

  test("does not depend on names or blank rows below", () => {
    for (const screen of alive) {
      const { observation } = screen;
      expectSame(adapter, screen, { ...observation, lines: [...observation.lines, "", ""] });
      for (const [from, to] of renamed) {
        const lines = observation.lines.map((row) => (row.startsWith("│") ? row : row.replace(from, to)));
        expectSame(adapter, screen, { ...observation, lines, title: observation.title.replace(from, to) });
      }
    }
  });

  test("loses confidence on another version's words, but keeps the state", () => {
    for (const { name, state, observation } of alive) {
      for (const [from, to] of reworded) {
        const reading = adapter.read({ ...observation, lines: observation.lines.map((row) => row.replace(from, to).trimEnd()) });
        const same = reading.state === state || (reading.confidence <= 0.7 && reading.state !== "exited");
        expect(same, `${name} with ${to}: ${reading.state} ${reading.confidence}`).toBe(true);
      }
    }
  });

  test("is never confident of another state on a half-painted screen", () => {
    for (const { name, state, observation } of alive) {
      for (let rows = 0; rows < observation.lines.length; rows++) {
        const reading = adapter.read({ ...observation, lines: observation.lines.slice(0, rows) });
        if (reading.state !== state) expect(reading.confidence, `${name} cut to ${rows}: ${reading.state}`).toBeLessThanOrEqual(0.85);
      }
    }
  });
});

function expectSame(adapter: AgentAdapter, { name, state }: RecordedScreen, mutant: Observation): void {
  const reading = adapter.read(mutant);
  expect({ name, state: reading.state, lines: reading.state === state ? [] : mutant.lines }).toEqual({ name, state, lines: [] });
}

function endOf({ lines }: Observation): readonly string[] {
  return lines.slice(0, lines.findLastIndex((row) => row !== "") + 1).slice(-12);
}

function insert(observation: Observation, { index, rows }: { readonly index: number; readonly rows: readonly string[] }): Observation {
  const { lines, cursor } = observation;
  const at = Math.max(0, index);
  const row = cursor.row >= at ? cursor.row + rows.length : cursor.row;
  return { ...observation, lines: lines.toSpliced(at, 0, ...rows), cursor: { ...cursor, row } };
}

function scroll(observation: Observation, rows: number): Observation {
  const { lines, cursor, historySize } = observation;
  return { ...observation, lines: lines.slice(rows), cursor: { ...cursor, row: cursor.row - rows }, historySize: historySize + rows };
}
