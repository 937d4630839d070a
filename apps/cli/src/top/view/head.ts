import { clock } from "../../render/fleet.js";
import type { Line, Span } from "../../render/paint.js";
import { standing } from "../../render/standing.js";
import { listedSessions, type TopState } from "../state.js";

/** The first line: counts, and the active filters. */
export function headLine(state: TopState): Line {
  const { sessions, connected, filter, view, found } = state;
  const problems = [...state.problems.values()].reduce((sum, each) => sum + each, 0);
  const all = [...sessions.values()];
  const count = (wanted: (name: string) => boolean) => all.filter((session) => wanted(standing(session).name)).length;
  const needy = all.filter((session) => standing(session).needsYou).length;
  const parts: Span[] = [
    { text: "tmpm top", bold: true },
    ...(connected ? [] : [{ text: "  RECONNECTING to the daemon", bold: true, tone: "red" } as const]),
    ...silentSpans(state),
    needy === 0
      ? { text: "  nothing needs your attention", tone: "faint" }
      : { text: `  ${needy} need${needy === 1 ? "s" : ""} you`, bold: true, tone: "yellow" },
    { text: `  ${count((name) => name === "working" || name === "starting")} working`, tone: "green" },
    { text: `  ${count((name) => name === "idle")} idle`, tone: "cyan" },
    { text: `  ${all.length} in all` },
    ...(problems === 0 ? [] : [{ text: `  ${problems} unreadable`, tone: "red" } as const]),
  ];
  const narrowed = [
    ...(view === "all" ? [] : [view]),
    ...(filter.trim() === "" ? [] : [`filter ${filter}`]),
    ...(found === null ? [] : [`find ${found.query}`]),
  ];
  const shown = narrowed.length === 0 ? [] : [{ text: `  [${narrowed.join("; ")}: ${listedSessions(state).length}]`, bold: true }];
  return [...parts.slice(0, 1), ...shown, ...parts.slice(1)];
}

/** Maximum number of nodes listed by name; above it, only their number is shown. */
const NAMED = 3;

function silentSpans({ silent }: TopState): readonly Span[] {
  if (silent.size === 0) return [];
  const nodes = [...silent].map(([node, { asOf }]) => (asOf === null ? node : `${node} since ${clock(asOf)}`));
  return [{ text: `  SILENT ${nodes.length > NAMED ? `${nodes.length} nodes` : nodes.join(", ")}`, bold: true, tone: "red" }];
}
