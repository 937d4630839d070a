import type { Observation, Reading } from "../adapter.js";
import { LIMIT_HINT, limitIn } from "../screen/read-limit.js";
import { ATTACH, reading, shellRuns } from "../screen/reading.js";
import { readDialog } from "./dialogs.js";
import { type Composer, type Layout, layoutOf } from "./layout.js";

const STATUS = /^[•◦]\s.*\((?:\d+[hms]\s?)+\s?• esc to interrupt\)/u;
const RETRYING = /^[•◦]\sReconnecting\.\.\.\s(\d+\/\d+)/u;
/** The remainder of a limit, at the right edge above the input. */
const METER = /^\s{3,}⚠\s/u;
const ERROR = /^■\s(.*)$/u;

/** Codex's state, from the last block of its screen and its title; words elsewhere are ignored. */
export function readCodex(screen: Observation): Reading {
  if (screen.dead) return reading("exited", { source: "process", confidence: 1, evidence: ["Codex has ended"] });
  const layout = layoutOf(screen);
  const title = titleOf(screen);
  switch (layout.kind) {
    case "composer":
      return withComposer(layout, { title, atMs: screen.atMs });
    case "dialog":
      return withLimit(readDialog(layout, { action: title === "action" }), { above: layout.above, atMs: screen.atMs });
    case "picker":
      return reading("blocked", {
        confidence: 0.9,
        evidence: ["the list of conversations to resume"],
        hint: `${ATTACH} choose the conversation, or press Escape.`,
      });
    default:
      return withoutInput(layout, screen);
  }
}

type Title = "busy" | "action" | "other";

/** A rotating braille sign while it works, `[ ! ]` or `[ . ]` while it asks; when idle only the conversation's name and the folder. */
function titleOf({ title }: Observation): Title {
  if (/^[\u2800-\u28ff]\s/u.test(title)) return "busy";
  return /^\[ [!.] \] /u.test(title) ? "action" : "other";
}

interface Seen extends Pick<Observation, "atMs"> {
  readonly title: Title;
}

function withComposer(composer: Composer, { title, atMs }: Seen): Reading {
  const draft = composer.text;
  const first = composer.above[0] ?? "";
  const status = STATUS.test(first);
  const retry = RETRYING.exec(first);
  if (retry !== null && status) {
    const evidence = [`the model's API fails, attempt ${retry[1]}`];
    const hint = "The model's API returns errors; Codex retries on its own.";
    return reading("working", { confidence: 0.8, evidence, draft, hint });
  }
  const work = [...(status ? ["a status line offers to interrupt"] : []), ...(title === "busy" ? ["the title shows a spinner"] : [])];
  if (work.length > 0) {
    return reading("working", { confidence: work.length > 1 ? 0.95 : 0.85, source: status ? "screen" : "title", evidence: work, draft });
  }
  if (isDummy(composer)) {
    return reading("starting", { confidence: 0.6, evidence: ["the input is shown before the conversation exists: no model below it"] });
  }
  return atRest(composer, { draft, atMs });
}

/** Codex paints an input seconds before it has a conversation; only then does the footer name the model and the folder. */
function isDummy({ footer, text }: Composer): boolean {
  return text === "" && footer.every((row) => /^\s*\? for shortcuts$/u.test(row));
}

function namesModel({ footer }: Composer): boolean {
  return footer.some((row) => /^\s{2}\S.* · /u.test(row));
}

interface Rest extends Pick<Observation, "atMs"> {
  readonly draft: string;
}

function atRest(composer: Composer, { draft, atMs }: Rest): Reading {
  const confidence = composer.holdsCursor && namesModel(composer) ? 0.9 : 0.6;
  const evidence = [draft === "" ? "the input is empty" : "the input holds text"];
  const said = errorIn(composer.above);
  if (said === undefined) return reading("idle", { confidence, evidence, draft });
  if (said.startsWith("Conversation interrupted")) {
    return reading("idle", { confidence, evidence: ["the last turn was interrupted", ...evidence], draft });
  }
  const limit = limitIn(said, atMs);
  const hint = limit === null ? "The last turn ended with an error of the model's API; send again once the cause is fixed." : LIMIT_HINT;
  return reading("errored", { confidence: Math.min(confidence, 0.9), evidence: [`error: ${said}`, ...evidence], draft, hint, limit });
}

function errorIn(block: readonly string[]): string | undefined {
  const rows = block.filter((row) => !METER.test(row)).map((row) => row.trim());
  return ERROR.exec(rows.join(" "))?.[1]?.trim();
}

interface Above extends Pick<Observation, "atMs"> {
  readonly above: readonly string[];
}

/** Codex offers a cheaper model right after its message of a limit. */
function withLimit(read: Reading, { above, atMs }: Above): Reading {
  return read.state === "awaiting_input" ? { ...read, limit: limitIn(errorIn(above) ?? "", atMs) } : read;
}

function withoutInput(layout: Layout, screen: Observation): Reading {
  if (shellRuns(screen)) {
    return reading("exited", { source: "process", confidence: 0.8, evidence: [`${screen.command} runs in place of Codex`] });
  }
  if (layout.kind === "blank") return reading("starting", { confidence: 0.6, evidence: ["the screen is still empty"] });
  return reading("unknown", { confidence: 0.2, evidence: ["no known input or dialog at the end of the screen"] });
}
