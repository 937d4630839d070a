import { plainLines } from "./plain-text.js";
import type { Entry, PlanStep, ToolEntry, Transcript } from "./transcript.js";

/** Maximum number of lines of a tool's output shown, the newest. */
const SHOWN_OUTPUT = 20;

const MARKS = { user: ["> ", "  "], agent: ["", ""], thought: ["~ ", "~ "] } as const;
const STEP_MARKS = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;

/**
 * A conversation as lines of plain text, with an empty line between two entries: prompts after `>`, thoughts after `~`, tools in brackets,
 * notes after `!`.
 */
export function transcriptLines({ entries, dropped, plan }: Transcript): readonly string[] {
  const gone = dropped === 0 ? [] : [[`! ${dropped} earlier entries are not kept`]];
  const blocks = [...gone, ...entries.map(linesOf), ...(plan.length === 0 ? [] : [planLines(plan)])];
  return blocks.flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

/** Entries are immutable: a continuing conversation renders only its last one again. */
const rendered = new WeakMap<Entry, readonly string[]>();

function linesOf(entry: Entry): readonly string[] {
  const known = rendered.get(entry);
  if (known !== undefined) return known;
  const lines = render(entry);
  rendered.set(entry, lines);
  return lines;
}

function render(entry: Entry): readonly string[] {
  switch (entry.kind) {
    case "said": {
      const [first, rest] = MARKS[entry.who];
      return trimmed(plainLines(entry.text)).map((line, index) => `${index === 0 ? first : rest}${line}`.trimEnd());
    }
    case "used":
      return [...plainLines(toolTitle(entry)), ...outputLines(entry)];
    case "noted":
      return trimmed(plainLines(entry.text)).map((line) => `! ${line}`.trimEnd());
  }
}

function toolTitle({ tool, title, status }: ToolEntry): string {
  return `[${tool}] ${title} (${status.replace("_", " ")})`;
}

function outputLines({ output }: ToolEntry): readonly string[] {
  if (output.trim() === "") return [];
  const lines = trimmed(plainLines(output));
  const left = lines.length - SHOWN_OUTPUT;
  const shown = left > 0 ? [`... ${left} lines before`, ...lines.slice(-SHOWN_OUTPUT)] : lines;
  return shown.map((line) => `    ${line}`.trimEnd());
}

function planLines(plan: readonly PlanStep[]): readonly string[] {
  return [
    "plan:",
    ...plan.flatMap(({ content, status }) => plainLines(content).map((line, i) => `  ${i === 0 ? STEP_MARKS[status] : "   "} ${line}`)),
  ];
}

/** Without empty lines at both ends. */
function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  return first < 0 ? [""] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}
