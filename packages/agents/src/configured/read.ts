import type { Observation, Reading } from "../adapter.js";
import type { Decision } from "../decision.js";
import { ATTACH, reading } from "../reading.js";
import { withoutBlankEnd } from "../rows.js";
import type { AgentConfig } from "./agent-config.js";

type Shown = Exclude<Reading["state"], "starting" | "exited" | "unknown">;

const ORDER: readonly Shown[] = ["blocked", "awaiting_approval", "awaiting_input", "working", "errored", "idle"];

/** Reads a screen by a user's patterns, from its last rows and its title. */
export function configuredReader(config: AgentConfig): (screen: Observation) => Reading {
  const { rows: count, subject } = config;
  const name = config.title ?? config.id;
  const shown = ORDER.map((state) => ({ state, rows: compiled(config.states[state]), titles: compiled(config.title_states[state]) }));
  const input = config.input === null ? null : new RegExp(config.input, "u");
  return (screen) => {
    if (screen.dead) return reading("exited", { source: "process", confidence: 1, evidence: [`${name} has ended`] });
    const rows = withoutBlankEnd(screen.lines).slice(-count);
    const draft = input === null ? null : (input.exec(screen.lines[screen.cursor.row] ?? "")?.[1] ?? null);
    for (const { state, rows: patterns, titles } of shown) {
      const row = rows.findLast((line) => patterns.some((pattern) => pattern.test(line)));
      const hint = state === "blocked" || state.startsWith("awaiting") ? `${ATTACH} answer it.` : null;
      if (row !== undefined) {
        const decision = state === "awaiting_approval" && subject !== null ? decisionOf(rows, { config, subject }) : null;
        return reading(state, { confidence: 0.7, evidence: [`a row like ${JSON.stringify(row.trim())}`], draft, hint, decision });
      }
      if (titles.some((pattern) => pattern.test(screen.title))) {
        return reading(state, { source: "title", confidence: 0.6, evidence: [`the title ${JSON.stringify(screen.title)}`], draft, hint });
      }
    }
    if (rows.length === 0) return reading("starting", { confidence: 0.5, evidence: ["the screen is still empty"] });
    return reading("unknown", {
      source: "process",
      confidence: 0.3,
      evidence: [`${name} runs, and no pattern of its configuration matches`],
      draft,
    });
  };
}

function compiled(patterns: readonly string[]): readonly RegExp[] {
  return patterns.map((pattern) => new RegExp(pattern, "u"));
}

function decisionOf(
  rows: readonly string[],
  { config, subject }: { readonly config: AgentConfig; readonly subject: string },
): Decision | null {
  const pattern = new RegExp(subject, "u");
  const asked = rows.map((row) => pattern.exec(row)?.[1]).findLast((found) => found !== undefined);
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
