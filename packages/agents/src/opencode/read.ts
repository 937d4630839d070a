import type { Observation, Reading } from "../adapter.js";
import { reading, shellRuns } from "../reading.js";
import { readDialog } from "./dialogs.js";
import { type Composer, endingOf, type Layout, layoutOf } from "./layout.js";

/** A moving bar; what follows it may wrap in a narrow window. */
const BUSY = /^\s+[■⬝]{4,}(?:\s|$)/u;
const RETRYING = /\[retrying .*attempt #(\d+)\]/u;

/** What OpenCode shows, from the last block of its screen; its title says nothing of what it does. */
export function readOpencode(screen: Observation): Reading {
  if (screen.dead) return reading("exited", { source: "process", confidence: 1, evidence: ["OpenCode has ended"] });
  const layout = layoutOf(screen);
  switch (layout.kind) {
    case "composer":
      return withComposer(layout);
    case "dialog":
      return readDialog(layout);
    default:
      return withoutInput(layout, screen);
  }
}

function withComposer(composer: Composer): Reading {
  const { text: draft, footer } = composer;
  const busy = footer.find((row) => BUSY.test(row));
  if (busy === undefined) return atRest(composer);
  const retry = RETRYING.exec(busy);
  if (retry !== null) {
    const evidence = [`the model's API fails, attempt ${retry[1]}`];
    const hint = "The model's API answers with errors; OpenCode tries again by itself.";
    return reading("working", { confidence: 0.8, evidence, draft, hint });
  }
  return reading("working", { confidence: 0.95, evidence: ["the footer offers to interrupt"], draft });
}

function atRest({ text: draft, footer, above, holdsCursor }: Composer): Reading {
  const whole = holdsCursor && footer.some((row) => /\bctrl\+p commands(?:\s{3}|$)/u.test(row));
  const confidence = whole ? 0.9 : 0.6;
  const evidence = [draft === "" ? "the input is empty" : "the input holds text"];
  const ending = endingOf(above);
  switch (ending.kind) {
    case "interrupted":
      return reading("idle", { confidence, evidence: ["the last turn was interrupted", ...evidence], draft });
    case "error": {
      const hint = "The last turn ended with an error of the model's API; send again when its cause is gone.";
      return reading("errored", {
        confidence: Math.min(confidence, 0.7),
        evidence: [`error: ${ending.message}`, ...evidence],
        draft,
        hint,
      });
    }
    default:
      return reading("idle", { confidence, evidence, draft });
  }
}

function withoutInput(layout: Layout, screen: Observation): Reading {
  if (shellRuns(screen)) {
    return reading("exited", { source: "process", confidence: 0.8, evidence: [`${screen.command} runs in OpenCode's place`] });
  }
  if (layout.kind === "blank") return reading("starting", { confidence: 0.6, evidence: ["the screen is still empty"] });
  return reading("unknown", { confidence: 0.2, evidence: ["no input and no dialog that is known at the end of the screen"] });
}
