import type { Observation, Reading } from "../adapter.js";
import { LIMIT_HINT, limitIn } from "../screen/read-limit.js";
import { reading, shellRuns } from "../screen/reading.js";
import { readDialog } from "./dialogs.js";
import { type Composer, type Layout, layoutOf } from "./layout.js";

const SPINNER = /^\s[\u2800-\u28ff]\s.*\(esc to cancel,?\s/u;
/** Prompts queued while Gemini started or worked, which it runs next. */
const QUEUED = /^\s*Queued \(press ↑ to edit\):/u;
const ERROR = /^✕\s(.*)$/u;
const FAILED = /^ℹ\sThis request failed\./u;
const INTERRUPTED = /^ℹ\sRequest cancelled\./u;

/** Gemini CLI's state, from the last block of its screen and its title; words elsewhere are ignored. */
export function readGemini(screen: Observation): Reading {
  if (screen.dead) return reading("exited", { source: "process", confidence: 1, evidence: ["Gemini CLI has ended"] });
  const layout = layoutOf(screen);
  const title = titleOf(screen);
  switch (layout.kind) {
    case "composer":
      return withComposer(layout, { title, atMs: screen.atMs });
    case "dialog":
      return shellRuns(screen) && screen.cursor.visible
        ? withoutInput(layout, screen)
        : readDialog(layout, { action: title === "action", atMs: screen.atMs });
    default:
      return withoutInput(layout, screen);
  }
}

type Title = "idle" | "busy" | "action" | "other";

/** A sign before its title shows Gemini's state; it does not change during the set-up. */
function titleOf({ title }: Observation): Title {
  if (title.startsWith("◇")) return "idle";
  if (/^(?:✦|⏲)/u.test(title)) return "busy";
  return title.startsWith("✋") ? "action" : "other";
}

interface Seen extends Pick<Observation, "atMs"> {
  readonly title: Title;
}

function withComposer(composer: Composer, { title, atMs }: Seen): Reading {
  const draft = composer.prompt === "!" ? `! ${composer.text}`.trimEnd() : composer.text;
  const spinner = composer.status.some((row) => SPINNER.test(row));
  const queued = composer.above[0]?.some((row) => QUEUED.test(row)) === true;
  const work = [
    ...(spinner ? ["a spinner offers to cancel"] : []),
    ...(title === "busy" ? ["the title shows that it is working"] : []),
    ...(queued ? ["prompts wait in its own queue"] : []),
  ];
  if (work.length > 0) {
    return reading("working", { confidence: work.length > 1 ? 0.95 : 0.75, source: spinner ? "screen" : "title", evidence: work, draft });
  }
  return atRest(composer, { draft, title, atMs });
}

function atRest({ above, holdsCursor }: Composer, { draft, title, atMs }: Seen & { readonly draft: string }): Reading {
  const confidence = holdsCursor && title === "idle" ? 0.95 : 0.6;
  const evidence = [
    draft === "" ? "the input is empty" : "the input holds text",
    ...(title === "idle" ? ["the title shows that it is idle"] : []),
  ];
  const ending = endingOf(above);
  if (ending === "interrupted") return reading("idle", { confidence, evidence: ["the last turn was interrupted", ...evidence], draft });
  if (ending === null) return reading("idle", { confidence, evidence, draft });
  const limit = limitIn(ending, atMs);
  const hint = limit === null ? "The last turn ended with an error of the model's API; send again once the cause is fixed." : LIMIT_HINT;
  return reading("errored", { confidence: Math.min(confidence, 0.9), evidence: [ending, ...evidence], draft, hint, limit });
}

/** An error is followed by a remark about more details, which may be the only visible part. */
function endingOf(above: Composer["above"]): string | null {
  for (const [first = ""] of above) {
    if (INTERRUPTED.test(first)) return "interrupted";
    const error = ERROR.exec(first)?.[1];
    if (error !== undefined) return `error: ${error}`;
    if (!first.startsWith("ℹ")) break;
  }
  return FAILED.test(above[0]?.[0] ?? "") ? "the last request failed" : null;
}

function withoutInput(layout: Layout, screen: Observation): Reading {
  // Gemini hides the terminal's cursor while it runs.
  if (shellRuns(screen) && screen.cursor.visible) {
    return reading("exited", { source: "process", confidence: 0.8, evidence: [`${screen.command} runs in place of Gemini`] });
  }
  if (layout.kind === "blank") return reading("starting", { confidence: 0.6, evidence: ["the screen is still empty"] });
  return reading("unknown", { confidence: 0.2, evidence: ["no known input or dialog at the end of the screen"] });
}
