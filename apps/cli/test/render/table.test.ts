import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cell } from "../../src/render/cell.js";
import { cellWidth, cutTo } from "../../src/render/cell-width.js";
import { pathCell } from "../../src/render/path.js";
import { table } from "../../src/render/table.js";
import { type TerminalView, terminalView } from "../../src/render/terminal-view.js";

const { TMPM_TEST_SEED = "1", TMPM_TEST_SCALE = "1" } = process.env;
/** A failure prints the seed. */
const SEEDED = { seed: Number(TMPM_TEST_SEED), numRuns: Math.ceil(100 * Number(TMPM_TEST_SCALE)) };

const HEAD = ["NAME", "STATE", "AGENT", "DIRECTORY", "WHAT"];
const ROW: readonly Cell[] = [
  "fix-login",
  { text: "! approval", tone: "yellow" },
  "claude",
  "~/src/a/long/path/api",
  "approve Bash: rm -rf build and more",
];
const plain: TerminalView = { columns: null, colour: false, unicode: true };

function shown(changes: Partial<TerminalView>): readonly string[] {
  return table({ head: HEAD, rows: [ROW], spare: [2, 3] }, { terminal: { ...plain, ...changes } }).split("\n");
}

describe("a table", () => {
  test("is complete in a pipe, with lines of any length", () => {
    expect(shown({})).toEqual([
      "NAME       STATE       AGENT   DIRECTORY              WHAT",
      "fix-login  ! approval  claude  ~/src/a/long/path/api  approve Bash: rm -rf build and more",
    ]);
    expect(table({ head: HEAD, rows: [["x".repeat(500), "", "", "", ""]] }, {})).toContain("x".repeat(500));
  });

  test.each([
    [
      80,
      [
        "NAME       STATE       AGENT   DIRECTORY              WHAT",
        "fix-login  ! approval  claude  ~/src/a/long/path/api  approve Bash: rm -rf buil…",
      ],
    ],
    [60, ["NAME       STATE       AGENT   DIRECTORY      WHAT", "fix-login  ! approval  claude  ~/src/a/long…  approve Bash:…"]],
    [40, ["NAME       STATE       WHAT", "fix-login  ! approval  approve Bash: rm…"]],
    [20, ["NAME   STATE  WHAT", "fix-…  ! ap…  appro…"]],
  ])("fits %i columns: longer texts are shortened, then columns omitted, the name last", (columns, lines) => {
    expect(shown({ columns })).toEqual(lines);
  });

  test("shortens a very long name before omitting other columns, and omits columns before the last one is too short", () => {
    const rows = [["x".repeat(60), "- idle", "claude", "~/src", "well"], ROW];
    const at80 = { terminal: { ...plain, columns: 80 } };
    const [head, first] = table({ head: HEAD, rows, spare: [2, 3] }, at80).split("\n");
    expect([head, first]).toEqual([expect.stringMatching(/AGENT +DIRECTORY/), expect.stringMatching(/^x{19,}… +- idle/)]);
    expect(table({ head: HEAD, rows: [ROW], spare: [2, 3], room: 35 }, { terminal: { ...plain, columns: 76 } }).split("\n")[1]).toBe(
      "fix-login  ! approval  ~/src/a/long/pa…  approve Bash: rm -rf build and more",
    );
  });

  test("keeps the end of a path", () => {
    const path = pathCell("/home/me/src/日本/api", "/home/me");
    expect(table({ rows: [["x".repeat(20), path]] }, { terminal: { ...plain, columns: 34 } })).toMatch(/^x{20} {2}…rc\/日本\/api$/);
  });

  test("is never wider than its terminal, and its columns are aligned, with any content", () => {
    const cell = fc.string({ unit: "grapheme", maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 12, max: 120 }),
        (rows, columns) => {
          const lines = table({ head: ["A", "B", "C"], rows, spare: [1] }, { terminal: { ...plain, columns } }).split("\n");
          expect(lines).toHaveLength(rows.length + 1);
          for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(columns);
        },
      ),
      SEEDED,
    );
  });

  test("aligns wide characters by cells", () => {
    const rows = ["日本語", "é🙂", "✅ x", "👩‍👩‍👧"].map((name) => [name, "|"]);
    const ends = table({ head: ["NAME", ""], rows }, {})
      .split("\n")
      .slice(1);
    expect(ends.map((line) => cellWidth(line.slice(0, line.indexOf("|"))))).toEqual([8, 8, 8, 8]);
  });

  test("uses ASCII only if the locale requires it", () => {
    expect(shown({ columns: 60, unicode: false })[1]).toBe("fix-login  ! approval  claude  ~/src/a/long~  approve Bash:~");
    expect(table({ head: ["NAME"], rows: [["日本é"]] }, { terminal: { ...plain, columns: 20, unicode: false } })).toBe("NAME\n???");
  });

  test("colours a state in addition to its sign and word", () => {
    expect(shown({ colour: true })[1]).toContain("\u001b[33m! approval\u001b[0m");
    expect(shown({ colour: true }).map((line) => line.replace(/\u001b\[\d*m/g, ""))).toEqual(shown({}));
  });
});

test("a text is truncated between grapheme clusters", () => {
  expect(cutTo("🙂🙂🙂", { cells: 5, mark: "…" })).toBe("🙂🙂…");
  expect(cutTo("🙂🙂🙂", { cells: 4, mark: "…" })).toBe("🙂…");
  expect(cutTo("👩‍👩‍👧 and me", { cells: 3, mark: "…" })).toBe("👩‍👩‍👧…");
  expect(cutTo("abc", { cells: 3, mark: "…" })).toBe("abc");
});

describe("the display properties of a terminal", () => {
  test.each([
    ["a terminal", { TERM: "xterm", LANG: "C.UTF-8" }, 80, { columns: 80, colour: true, unicode: true }],
    ["a pipe", { TERM: "xterm", LANG: "C" }, null, { columns: null, colour: false, unicode: true }],
    ["NO_COLOR", { NO_COLOR: "1", LANG: "C.UTF-8" }, 80, { columns: 80, colour: false, unicode: true }],
    ["an empty NO_COLOR", { NO_COLOR: "", LC_ALL: "de_DE.utf8" }, 80, { columns: 80, colour: true, unicode: true }],
    ["FORCE_COLOR in a pipe", { FORCE_COLOR: "1", NO_COLOR: "1" }, null, { columns: null, colour: true, unicode: true }],
    ["FORCE_COLOR=0", { FORCE_COLOR: "0", LANG: "C.UTF-8" }, 80, { columns: 80, colour: false, unicode: true }],
    ["a dumb terminal", { TERM: "dumb", LANG: "C.UTF-8" }, 80, { columns: 80, colour: false, unicode: true }],
    ["CLICOLOR=0", { CLICOLOR: "0", LANG: "C.UTF-8" }, 80, { columns: 80, colour: false, unicode: true }],
    ["CLICOLOR_FORCE in a pipe", { CLICOLOR_FORCE: "1", NO_COLOR: "1" }, null, { columns: null, colour: true, unicode: true }],
    ["CLICOLOR_FORCE=0 in a pipe", { CLICOLOR_FORCE: "0" }, null, { columns: null, colour: false, unicode: true }],
    ["LC_ALL above LANG", { LC_ALL: "C", LANG: "C.UTF-8" }, 80, { columns: 80, colour: true, unicode: false }],
  ])("%s", (_, env, columns, expected) => {
    expect(terminalView(env, columns)).toEqual(expected);
  });
});
