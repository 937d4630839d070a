import type { Observation, Reading } from "../adapter.js";
import { LIMIT_HINT, limitIn, momentIn, type ReadLimit } from "../screen/read-limit.js";
import { reading, shellRuns } from "../screen/reading.js";
import { isBlank } from "../screen/rows.js";
import { decisionOf } from "./decision.js";
import { judgeDialog } from "./dialogs.js";
import { type Composer, type Layout, layoutOf } from "./layout.js";

const SPINNER = /^[·✢✳✶✻✽*]\s\S.*…/u;
const RETRYING = /^[·✢✳✶✻✽*]\s.*retrying in .*attempt (\d+\/\d+)/iu;
const LIMIT_NOTE = /^●\s(Usage limit reached(?: again)? · set to continue\b.*|Automatic continue cancelled · \/rate-limit-options\b.*)$/u;
const LIMIT_REACHED = /^\s+⎿\s+You've hit your .*\blimit\b/u;
/** What Claude draws in its footer while it waits for a subscription's limit to reset (2.1.332). */
const WAITS = /^Continuing (?:automatically|shortly)\b.*\bEsc to cancel\b/u;
const API_ERROR = /^●\sAPI Error:\s*(.*)$/u;

/** Claude Code's state, from the last block of its screen and its title; words elsewhere are ignored. */
export function readClaude(screen: Observation): Reading {
  if (screen.dead) return reading("exited", { source: "process", confidence: 1, evidence: ["Claude has ended"] });
  // Claude hides the terminal's cursor while it runs; a wrapper script of the user's also appears as a shell.
  if (shellRuns(screen) && screen.cursor.visible) {
    return reading("exited", { source: "process", confidence: 0.8, evidence: [`${screen.command} runs in place of Claude`] });
  }
  const layout = layoutOf(screen);
  switch (layout.kind) {
    case "composer":
      return withComposer(layout, screen);
    case "dialog": {
      const { state, confidence, evidence, hint } = judgeDialog(layout);
      return reading(state, { confidence, evidence: [evidence], hint, decision: decisionOf(layout, state) });
    }
    default:
      return withoutInput(layout, screen);
  }
}

type Title = "idle" | "busy" | "other";

/** Claude puts `✳` before its title while it waits (also for an approval) and a rotating braille sign while it works. */
function titleOf({ title }: Observation): Title {
  if (/^[\u2800-\u28ff]/u.test(title)) return "busy";
  return title.startsWith("✳") ? "idle" : "other";
}

function withComposer(composer: Composer, screen: Observation): Reading {
  const title = titleOf(screen);
  const draft = draftOf(composer);
  const interruptible = composer.footer.some((row) => /\besc to interrupt\b/u.test(row));
  const first = composer.above[0]?.[0] ?? "";
  const retry = RETRYING.exec(first);
  if (retry && interruptible) {
    const evidence = [`the model's API fails, attempt ${retry[1]}`];
    return reading("working", {
      confidence: 0.8,
      evidence,
      draft,
      hint: "The model's API returns errors; Claude retries on its own.",
    });
  }
  const spinner = SPINNER.test(first);
  const work = signsOfWork({ interruptible, spinner, title });
  if (work.length > 0) {
    return reading("working", {
      confidence: work.length > 1 ? 0.95 : 0.75,
      source: interruptible ? "screen" : "title",
      evidence: work,
      draft,
    });
  }
  return atRest(composer, { draft, title, atMs: screen.atMs });
}

function signsOfWork(seen: { readonly interruptible: boolean; readonly spinner: boolean; readonly title: Title }): readonly string[] {
  return [
    ...(seen.interruptible ? ["the footer offers to interrupt"] : []),
    ...(seen.spinner ? ["a spinner is shown above the input"] : []),
    ...(seen.title === "busy" ? ["the title shows a spinner"] : []),
  ];
}

interface Rest extends Pick<Observation, "atMs"> {
  readonly draft: string;
  readonly title: Title;
}

function atRest(composer: Composer, { draft, title, atMs }: Rest): Reading {
  const isWhole = composer.holdsCursor && composer.footer.some((row) => row.trim() !== "");
  const confidence = isWhole && title === "idle" ? 0.95 : 0.6;
  const evidence = [
    draft === "" ? "the input is empty" : "the input holds text",
    ...(title === "idle" ? ["the title shows that it is idle"] : []),
  ];
  const limited = subscriptionLimit(composer.above, atMs);
  if (composer.footer.some((row) => WAITS.test(row.trim()))) return waiting(draft, limited);
  if (limited !== null) {
    const seen = { evidence: [`usage limit: ${limited.message}`, ...evidence], draft, hint: LIMIT_HINT, limit: limited };
    // While its footer is drawn, Claude may still wait.
    const isDrawn = !composer.footer.some((row) => row.trim().startsWith("⚠ Usage limit reached"));
    return reading("errored", { confidence: Math.min(confidence, isDrawn ? 0.9 : 0.7), ...seen });
  }
  const error = lastError(composer);
  if (error !== null) {
    const limit = limitIn(error, atMs);
    const hint = limit === null ? "The last turn ended with an error of the model's API; send again once the cause is fixed." : LIMIT_HINT;
    const seen = { evidence: [`API error: ${error}`, ...evidence], draft, hint, limit };
    return reading("errored", { confidence: Math.min(confidence, 0.9), ...seen });
  }
  return reading("idle", { confidence, evidence, draft });
}

/** It continues by itself, but the delay is too long to wait for. */
function waiting(draft: string, limit: ReadLimit | null): Reading {
  return reading("blocked", {
    confidence: 0.9,
    evidence: [`Claude waits for a usage limit to reset${limit === null ? "" : `: ${limit.message}`}`],
    hint: "Claude then continues on its own; `tmpm interrupt` cancels that.",
    draft,
    limit: limit ?? { message: "Usage limit reached", resetsAtMs: null },
    leave: ["Escape"],
  });
}

/** Below the prompt that was refused, or below one of Claude's notes about the limit; a note alone has no message of the API. */
function subscriptionLimit(above: Composer["above"], atMs: number | undefined): ReadLimit | null {
  const prompt = above.findIndex((block) => !LIMIT_NOTE.test(block[0] ?? ""));
  const [found] = above.slice(0, prompt + 1).flatMap((block) => refusalIn(block, atMs) ?? []);
  if (found !== undefined) return found;
  const note = LIMIT_NOTE.exec(above[0]?.[0] ?? "")?.[1];
  return note === undefined ? null : { message: note, resetsAtMs: momentIn(note, atMs) };
}

function refusalIn(block: readonly string[], atMs: number | undefined): ReadLimit | null {
  const last = block.findLastIndex((row) => /^\s+⎿\s/u.test(row));
  const [first = "", ...more] = block.slice(Math.max(0, last));
  if (!LIMIT_REACHED.test(first)) return null;
  const end = more.findIndex((row) => isBlank(row) || row.trim().startsWith("/"));
  return limitIn([first.replace(/^\s+⎿/u, ""), ...more.slice(0, end < 0 ? more.length : end)].join(" "), atMs);
}

/** A `!` is the first character of a draft, since the rest runs in a shell. */
function draftOf({ prompt, text }: Composer): string {
  return prompt === "!" ? `! ${text}`.trimEnd() : text;
}

/** A turn ends with a line like `✻ Worked for 8s`, or without one. */
function lastError({ above }: Composer): string | null {
  const [last, before] = above.map((block) => block[0] ?? "");
  const said = /^✻\s\p{Lu}\S+ for /u.test(last ?? "") ? before : last;
  return API_ERROR.exec(said ?? "")?.[1] ?? null;
}

/** Printed instead of its screen after Ctrl-Z (2.1.332). */
const SUSPENDED = /^Claude Code is suspended\. Run `fg` to bring it back\.$/u;

function withoutInput(layout: Layout, screen: Observation): Reading {
  if (layout.kind === "blank" && titleOf(screen) === "other") {
    return reading("starting", { confidence: 0.6, evidence: ["the screen is still empty"] });
  }
  const end = screen.lines.filter((line) => line.trim() !== "").slice(-2);
  if (end.some((line) => SUSPENDED.test(line))) {
    const hint = "Ctrl-Z suspended it, and it has no shell to resume it: run `kill -CONT PID` with the pid from `tmpm show`.";
    return reading("blocked", { confidence: 0.9, evidence: ["it reports that it is suspended"], hint });
  }
  return reading("unknown", { confidence: 0.2, evidence: ["no known input or dialog at the end of the screen"] });
}
