import type { Observation } from "../adapter.js";
import type { AgentOverrides, LiveOutcome } from "../agent-overrides.js";

/** As measured with version 0.61.0: `/model set` applies to the session only. It has no value for the agent's default. */
export const geminiOverrides: AgentOverrides = {
  fields: ["model"],
  live: ({ field, value }) => {
    if (field !== "model" || value === null) return null;
    const command = `/model set ${value}`;
    return { command, outcome: (screen) => outcome(screen, { command, model: String(value) }) };
  },
};

/** The command in its box, and Gemini's response below it. */
function outcome({ lines }: Observation, { command, model }: { readonly command: string; readonly model: string }): LiveOutcome | null {
  const at = lines.findLastIndex((line) => line.trim() === `> ${command}`);
  const said = lines.slice(at + 1).find((line) => /^\s*[ℹ✕⚠]\s/u.test(line));
  if (at < 0 || said === undefined) return null;
  const words = said.trim().slice(1).trim();
  return words === `Model set to ${model}` ? { kind: "applied", evidence: words } : { kind: "refused", message: words };
}
