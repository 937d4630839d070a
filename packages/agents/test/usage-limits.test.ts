import { describe, expect, test } from "vitest";
import { type AgentAdapter, claude, codex, gemini, opencode } from "../src/index.js";
import { recordedScreens } from "./recorded-screens.js";

interface Seen {
  readonly adapter: AgentAdapter;
  readonly version: string;
  readonly name: RegExp;
  readonly message: RegExp;
  /** Relative to the time of the recording; null if the agent does not report when it resets. */
  readonly resets: ((atMs: number) => number) | null;
  /** The keys that leave the dialog, and its choices. */
  readonly leave?: readonly string[];
  readonly choices?: readonly string[];
}

const LOCAL = () => new Date(2026, 10, 29, 1, 28).getTime();
/** Two hours after the recording, to the minute. */
const TWO_HOURS = (atMs: number) => Math.floor((atMs + 7_200_000) / 60_000) * 60_000;
const KEEP = ["Switch to gpt-6-luna", "Keep current model", "Keep current model (never show again)"];

const SEEN: readonly Seen[] = [
  {
    adapter: codex,
    version: "0.171.0",
    name: /^awaiting_input usage-limit/,
    message: /^You’ve hit your usage limit\./,
    resets: LOCAL,
    leave: ["Escape"],
    choices: KEEP,
  },
  {
    adapter: codex,
    version: "0.171.0",
    name: /^errored usage-limit/,
    message: /^You’ve hit your usage limit\..* 1:28 AM\.$/,
    resets: LOCAL,
  },
  {
    adapter: codex,
    version: "0.171.0",
    name: /^errored quota/,
    message: /^Quota exceeded\. Check your plan and billing details\.$/,
    resets: null,
  },
  {
    adapter: gemini,
    version: "0.61.0",
    name: /^awaiting_input usage-limit/,
    message: /^Usage limit reached for gemini-3\.8-flash\.$/,
    resets: null,
    leave: ["Down", "Enter"],
    choices: ["Keep trying", "Stop"],
  },
  { adapter: gemini, version: "0.61.0", name: /^errored usage-limit/, message: /exhausted your daily quota/, resets: null },
  {
    adapter: opencode,
    version: "1.18.33",
    name: /^blocked usage-limit-(?:120x40|60x18)/,
    message: /^Rate limit reached for mock-model\./,
    resets: (atMs) => atMs + 10_740_000,
    leave: ["Escape", "Escape"],
  },
  {
    adapter: opencode,
    version: "1.18.33",
    name: /^blocked usage-limit-80x24/,
    message: /^Rate limit reached for mock-model\. Please try again in 10800s\.$/,
    resets: (atMs) => atMs + 10_800_000,
    leave: ["Escape", "Escape"],
  },
  {
    adapter: claude,
    version: "2.1.332",
    name: /^blocked subscription-limit/,
    message: /^You've hit your 5-hour limit · resets \d:\d\dam \(UTC\)$/,
    resets: TWO_HOURS,
    leave: ["Escape"],
  },
  {
    adapter: claude,
    version: "2.1.332",
    name: /^errored subscription-limit-cancelled/,
    message: /^You've hit your 5-hour limit · resets \d:\d\dam \(UTC\)$/,
    resets: TWO_HOURS,
  },
  { adapter: claude, version: "2.1.332", name: /^errored usage-limit/, message: /exceed your account's rate limit/, resets: null },
];

describe.each(SEEN)("usage limit of $adapter.id, $name,", ({ adapter, version, name, message, resets, leave, choices }) => {
  const screens = recordedScreens(`${adapter.id}-${version}`).filter((screen) => name.test(`${screen.state} ${screen.name}`));

  test("is detected, with its reset and the key to leave it", () => {
    expect(screens).not.toEqual([]);
    for (const { observation } of screens) {
      const { limit, ...reading } = adapter.read(observation);
      expect(limit?.message).toMatch(message);
      expect(limit?.resetsAtMs).toBe(resets === null ? null : resets(observation.atMs ?? 0));
      expect(reading.leave ?? undefined).toEqual(leave);
      expect(reading.decision?.choices.map(({ label }) => label)).toEqual(choices);
    }
  });
});
