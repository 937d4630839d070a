import type { View } from "../context.js";
import { age } from "./age.js";
import { cellWidth } from "./cell-width.js";
import { clip } from "./one-line.js";
import { SIGN_LEGEND, type StandingName } from "./standing.js";
import { table } from "./table.js";

/** The output of `tmpm --json`. `counts` is by status, without zeros. */
export interface Overview {
  /** Whether a daemon answers; if not, the rest is unknown. */
  readonly running: boolean;
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Most urgent first. */
  readonly needs_you: readonly {
    readonly id: string;
    readonly name: string;
    readonly standing: StandingName;
    readonly since: string;
    readonly why: string;
    readonly command: string;
  }[];
  /** Unreadable records. */
  readonly problems: number;
}

const MOST = 5;
const WHY = 48;
/** Below this width, the reason is on its own line. */
const NARROW = 60;

/** A short overview, and the next command. */
export function renderOverview(overview: Overview, view: Pick<View, "now" | "terminal">): string {
  const { running, total, needs_you, problems } = overview;
  if (!running) return lines("tmpm is not running. Its sessions keep running; `tmpm ls` shows them.", BEGIN, HELP);
  const unreadable = problems === 0 ? [] : [`${problems} ${problems === 1 ? "record" : "records"} cannot be read: \`tmpm ls\` shows why`];
  if (total === 0) return lines("no sessions", ...unreadable, BEGIN, HELP);
  const more = needs_you.length > MOST ? [`   and ${needs_you.length - MOST} more: \`tmpm ls\``] : [];
  const needy = needs_you.length === 0 ? [] : [...needyLines(needs_you.slice(0, MOST), view), ...more];
  return lines(countsLine(overview), ...needy, ...unreadable, "`tmpm top` shows them live.", HELP);
}

const BEGIN = 'Start one: tmpm new --agent claude --prompt "What does this repository do?"';
const HELP = "`tmpm --help` lists the commands.";

/** Commands are never truncated: if they do not fit on the line, they go below. */
function needyLines(needy: Overview["needs_you"], view: Pick<View, "now" | "terminal">): readonly string[] {
  const columns = view.terminal?.columns ?? null;
  const rows = needy.map(({ name, standing, since, why }) => [
    ` ${signOf(standing)} ${name}`,
    `${standing} for ${age(since, view.now)}`,
    columns === null ? (why.split("\n", 1)[0] ?? "") : clip(why.split("\n", 1)[0] ?? "", WHY),
  ]);
  const whole = table({ rows: rows.map((row, index) => [...row, needy[index]?.command ?? ""]) }, {}).split("\n");
  if (columns === null || whole.every((line) => cellWidth(line) <= columns)) return whole;
  const above =
    columns < NARROW
      ? rows.map(([name, since, why]) => [`${name}  ${since}`, `     ${why}`])
      : table({ rows }, view)
          .split("\n")
          .map((line) => [line]);
  const cut = (line: string) => table({ rows: [[line]] }, view);
  return needy.flatMap(({ command }, index) => [...(above[index] ?? []).map(cut), `     ${command}`]);
}

function countsLine({ needs_you, counts, total }: Overview): string {
  const needs =
    needs_you.length === 0 ? "nothing needs your attention" : `${needs_you.length} need${needs_you.length === 1 ? "s" : ""} you`;
  const waiting = new Set<string>(needs_you.map(({ standing }) => standing));
  const rest = Object.entries(counts).flatMap(([name, count]) => (waiting.has(name) ? [] : [`${count} ${name}`]));
  return `${[needs, ...rest].join(", ")}; ${total} in all`;
}

function signOf(standing: StandingName): string {
  return SIGN_LEGEND.find((legend) => legend.endsWith(` ${standing}`))?.slice(0, 1) ?? " ";
}

function lines(...all: readonly string[]): string {
  return all.join("\n");
}
