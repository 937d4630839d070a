import type { Observation, Reading } from "../adapter.js";
import type { Decision } from "../screen/decision.js";
import { ATTACH, reading } from "../screen/reading.js";
import { isBlank, withoutBlankEnd } from "../screen/rows.js";
import type { AgentConfig } from "./agent-config.js";
import { inputFinder, type ShownInput } from "./input.js";

type Shown = Exclude<Reading["state"], "starting" | "exited" | "unknown">;

const ORDER: readonly Shown[] = ["blocked", "awaiting_approval", "awaiting_input", "working", "errored", "idle"];

/** Reads a screen by a user's patterns, from its last rows and its title. */
export function configuredReader(config: AgentConfig): (screen: Observation) => Reading {
  const { subject } = config;
  const name = config.title ?? config.id;
  const shown = ORDER.map((state) => ({ state, rows: compiled(config.states[state]), titles: compiled(config.title_states[state]) }));
  const find = inputFinder(config.input);
  return (screen) => {
    if (screen.dead) return reading("exited", { source: "process", confidence: 1, evidence: [`${name} has ended`] });
    const input = find(screen);
    const draft = input?.text ?? null;
    const rows = rowsToRead(config, { screen, input });
    const placed = isPlaced(config) && input !== null;
    for (const { state, rows: patterns, titles } of shown) {
      // A dialog replaces the input: one above it is history, whereas work continues beside it.
      if (isPlaced(config) && isDialog(state) === placed) continue;
      const looked = state === "errored" && placed ? lastBlock(screen.lines.slice(0, input.edge)) : rows;
      const row = looked.findLast((line) => patterns.some((pattern) => pattern.test(line)));
      const hint = isDialog(state) ? `${ATTACH} answer it.` : null;
      if (row !== undefined) {
        const decision = state === "awaiting_approval" && subject !== null ? decisionOf(rows, { config, subject }) : null;
        return reading(state, { confidence: 0.7, evidence: [`a row such as ${JSON.stringify(row.trim())}`], draft, hint, decision });
      }
      if (titles.some((pattern) => pattern.test(screen.title))) {
        return reading(state, { source: "title", confidence: 0.6, evidence: [`the title ${JSON.stringify(screen.title)}`], draft, hint });
      }
    }
    if (placed) return reading("idle", { confidence: 0.7, evidence: ["the input is shown, without a sign of work"], draft });
    if (withoutBlankEnd(screen.lines).length === 0)
      return reading("starting", { confidence: 0.5, evidence: ["the screen is still empty"] });
    return reading("unknown", {
      source: "process",
      confidence: 0.3,
      evidence: [`${name} runs, and no pattern of its description matches`],
      draft,
    });
  };
}

function isDialog(state: Shown): boolean {
  return state === "blocked" || state.startsWith("awaiting");
}

/** The description locates the input, so it is known at any cursor position. */
function isPlaced({ input }: AgentConfig): boolean {
  return typeof input === "object" && input !== null;
}

/** The last rows; without those of a located input. */
function rowsToRead(
  config: AgentConfig,
  { screen, input }: { readonly screen: Observation; readonly input: ShownInput | null },
): readonly string[] {
  const rows = withoutBlankEnd(screen.lines);
  if (!isPlaced(config) || input === null) return rows.slice(-config.rows);
  return [...rows.slice(0, input.from), ...rows.slice(input.to)].slice(-config.rows);
}

/** The rows after the last blank one. */
function lastBlock(lines: readonly string[]): readonly string[] {
  const rows = withoutBlankEnd(lines);
  return rows.slice(rows.findLastIndex(isBlank) + 1);
}

function compiled(patterns: readonly string[]): readonly RegExp[] {
  return patterns.map((pattern) => new RegExp(pattern, "u"));
}

function decisionOf(
  rows: readonly string[],
  { config, subject }: { readonly config: AgentConfig; readonly subject: string },
): Decision | null {
  const pattern = new RegExp(subject, "u");
  const asked = rows.map((row) => pattern.exec(row)?.[1]).findLast((found) => found !== undefined && found.trim() !== "");
  if (asked === undefined) return null;
  return {
    kind: "approval",
    tool: null,
    subject: asked,
    choices: [
      { label: "Approve", keys: config.approve, takesText: false },
      { label: "Deny", keys: config.deny, takesText: false },
    ],
  };
}
