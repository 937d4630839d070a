import { homedir } from "node:os";
import { join } from "node:path";
import type { Observation } from "../adapter.js";
import type { AgentOverrides, LiveChange, LiveOutcome, LivePlan } from "../agent-overrides.js";
import { withSettingsBack } from "../files/json-settings.js";
import { layoutOf } from "./layout.js";

/** As measured with version 2.1.197: `/model` and `/effort` take effect at once, and are saved as defaults in the user's settings. */
export const claudeOverrides: AgentOverrides = {
  fields: ["model", "reasoning_effort"],
  efforts: ["low", "medium", "high", "xhigh", "max"],
  live,
};

const COMMANDS = {
  model: { name: "/model", none: "default", done: /^Set model to /u },
  reasoning_effort: { name: "/effort", none: "auto", done: /^(?:Set effort level to |Effort level set to )/u },
} as const;

function live({ field, value, env }: LiveChange): LivePlan | null {
  if (field !== "model" && field !== "reasoning_effort") return null;
  const { name, none, done } = COMMANDS[field];
  const command = `${name} ${value ?? none}`;
  return {
    command,
    outcome: (screen) => outcome(screen, { command, done }),
    spill: {
      path: join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), ".claude"), "settings.json"),
      undone: (before, now) => withSettingsBack(SPILLED, { before, now }),
    },
  };
}

/** Each command writes the settings from Claude's memory, with the change by the other one. */
const SPILLED = ["model", "effortLevel"];

const ASKED = ["Switch model?", "Change effort level?"];

/** The command is above the input with its answer below it; for a cached conversation Claude asks first whether to continue. */
function outcome(screen: Observation, { command, done }: { readonly command: string; readonly done: RegExp }): LiveOutcome | null {
  const layout = layoutOf(screen);
  if (layout.kind === "dialog") {
    return ASKED.includes(layout.heading) && layout.choosing ? { kind: "asks", keys: ["Enter"] } : null;
  }
  if (layout.kind !== "composer") return null;
  const said = answerTo(command, layout.above[0] ?? []);
  if (said === null) return null;
  return done.test(said) ? { kind: "applied", evidence: said } : { kind: "refused", message: said };
}

/** The text after `⎿`, when the block above the input is exactly this command. */
function answerTo(command: string, block: readonly string[]): string | null {
  const at = block.findLastIndex((row) => row.trim() === `❯ ${command}`);
  const [first, ...more] = at < 0 ? [] : block.slice(at + 1);
  const words = /^\s*⎿\s+(.*)$/u.exec(first ?? "")?.[1];
  return words === undefined
    ? null
    : [words, ...more]
        .map((row) => row.trim())
        .join(" ")
        .trim();
}
