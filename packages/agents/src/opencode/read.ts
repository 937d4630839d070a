import { LONG_WAIT_MS } from "@tmpm/core";
import type { Observation, Reading } from "../adapter.js";
import { durationIn, LIMIT_HINT, limitIn } from "../screen/read-limit.js";
import { reading, shellRuns } from "../screen/reading.js";
import { readDialog } from "./dialogs.js";
import { type Composer, endingOf, type Layout, layoutOf } from "./layout.js";

/** A moving bar; text after it may wrap in a narrow window. */
const BUSY = /^\s+[■⬝]{4,}(?:\s|$)/u;
/** The error, the delay and the number of tries. */
const RETRYING = /^\s+[■⬝]+\s*(.*?)[\s[]*\bretrying\b(?:\s+in\b(.*?))?\s+attempt\s+#(\d+)\]/u;

/** OpenCode's state, from the last block of its screen; its title does not show it. */
export function readOpencode(screen: Observation): Reading {
  if (screen.dead) return reading("exited", { source: "process", confidence: 1, evidence: ["OpenCode has ended"] });
  const layout = layoutOf(screen);
  switch (layout.kind) {
    case "composer":
      return withComposer(layout, screen);
    case "dialog":
      return readDialog(layout);
    default:
      return withoutInput(layout, screen);
  }
}

function withComposer(composer: Composer, { atMs }: Pick<Observation, "atMs">): Reading {
  const { text: draft, footer } = composer;
  const busy = footer.findIndex((row, index) => BUSY.test(row) || RETRYING.test(footer.slice(index).join(" ")));
  if (busy < 0) return atRest(composer, { atMs });
  const retry = RETRYING.exec(footer.slice(busy).join(" "));
  if (retry !== null) {
    const [, said = "", wait = "", attempt] = retry;
    // In a narrow window the message covers the bar, and the time may be truncated.
    const message = said.replace(/\s*\besc interrupt\b\s*|[■⬝]+/gu, " ").trim();
    const waitMs = durationIn(wait) ?? waitIn(message, atMs);
    if (waitMs >= LONG_WAIT_MS) return heldUp(draft, { message, wait: wait.trim(), resetsAtMs: atMs === undefined ? null : atMs + waitMs });
    const evidence = [`the model's API fails, attempt ${attempt}`];
    const hint = "The model's API returns errors; OpenCode retries on its own.";
    return reading("working", { confidence: 0.8, evidence, draft, hint });
  }
  return reading("working", { confidence: 0.95, evidence: ["the footer offers to interrupt"], draft });
}

/** The API's own retry delay; 0 without one. */
function waitIn(message: string, nowMs = 0): number {
  const resetsAtMs = limitIn(message, nowMs)?.resetsAtMs ?? nowMs;
  return nowMs === 0 ? 0 : resetsAtMs - nowMs;
}

interface Wait {
  readonly message: string;
  readonly wait: string;
  readonly resetsAtMs: number | null;
}

/** It continues by itself, but the delay is too long to wait for. */
function heldUp(draft: string, { message, wait, resetsAtMs }: Wait): Reading {
  return reading("blocked", {
    confidence: 0.9,
    evidence: [`the model's API fails, and OpenCode waits${wait === "" ? "" : ` ${wait}`} before it tries again: ${message}`],
    hint: "OpenCode then continues on its own; `tmpm interrupt` ends the turn now.",
    draft,
    limit: { message, resetsAtMs },
    leave: ["Escape", "Escape"],
  });
}

function atRest({ text: draft, footer, above, holdsCursor }: Composer, { atMs }: Pick<Observation, "atMs">): Reading {
  const whole = holdsCursor && footer.some((row) => /\bctrl\+p commands(?:\s{3}|$)/u.test(row));
  const confidence = whole ? 0.9 : 0.6;
  const evidence = [draft === "" ? "the input is empty" : "the input holds text"];
  const ending = endingOf(above);
  switch (ending.kind) {
    case "interrupted":
      return reading("idle", { confidence, evidence: ["the last turn was interrupted", ...evidence], draft });
    case "error": {
      const limit = limitIn(ending.message, atMs);
      const hint =
        limit === null ? "The last turn ended with an error of the model's API; send again once the cause is fixed." : LIMIT_HINT;
      return reading("errored", {
        limit,
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
    return reading("exited", { source: "process", confidence: 0.8, evidence: [`${screen.command} runs in place of OpenCode`] });
  }
  if (layout.kind === "blank") return reading("starting", { confidence: 0.6, evidence: ["the screen is still empty"] });
  return reading("unknown", { confidence: 0.2, evidence: ["no known input or dialog at the end of the screen"] });
}
