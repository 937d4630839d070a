import { expect, test } from "vitest";
import { gemini } from "../src/index.js";
import { recordedScreens } from "./recorded-screens.js";

const READY = recordedScreens("gemini-0.61.0").find(({ name }) => name === "ready-empty")?.observation;

/** As version 0.61.0 draws it during its start, and after it has accepted the prompt. */
const INITIALIZING = ["ℹ Initializing... Prompts will be queued.", "  Queued (press ↑ to edit):", "    a prompt", ""];
const TAKEN = ["  Queued (press ↑ to edit):", "    a prompt", "", "✦ an answer that quotes it", ""];

test.each([
  ["working", INITIALIZING],
  ["idle", TAKEN],
] as const)("Gemini CLI is %s with these rows above its empty input: %j", (state, rows) => {
  if (READY === undefined) expect.unreachable("no screen of an empty input");
  const rule = READY.lines.findLastIndex((row) => row.startsWith("────"));
  const lines = [...READY.lines.slice(0, rule - 1), ...rows, ...READY.lines.slice(rule - 1)];
  const seen = { ...READY, lines, rows: lines.length, cursor: { ...READY.cursor, row: READY.cursor.row + rows.length } };
  expect(gemini.read(READY).state).toBe("idle");
  expect(gemini.read(seen)).toMatchObject({ state, draft: "" });
});
