import { computed, signal } from "@preact/signals";
import type { FleetList, FleetPart, FleetSession } from "@tmpm/api";
import { lastKnown, sortedByNeed } from "@tmpm/api/standing";
import { filter, matches } from "./filter.js";

/** The sessions of one other machine. */
export interface OtherNode {
  readonly part: FleetPart & { readonly node: string };
  readonly sessions: readonly FleetSession[];
}

/** Other machines, as in the daemon's last list; empty if there are none. */
export const others = signal<readonly OtherNode[]>([]);

export function othersListed({ nodes, sessions }: Pick<FleetList, "nodes" | "sessions">): void {
  others.value = nodes.flatMap((part) => {
    const { node } = part;
    if (node === null) return [];
    return [{ part: { ...part, node }, sessions: sortedByNeed(sessions.filter((session) => session.node === node)) }];
  });
}

/** The last list is kept as outdated: its sessions may have changed since. */
export function othersUnlisted(reason: string): void {
  others.value = others.value.map(({ part, sessions }) => ({
    part: { ...part, complete: false, reason },
    sessions: sessions.map((session) => (session.was === null ? lastKnown(session, { node: part.node, asOf: part.as_of }) : session)),
  }));
}

/** The sessions that match the page's filter. */
export const shownOthers = computed(() => {
  const text = filter.value.trim();
  if (text === "") return others.value;
  const left = others.value.map(({ part, sessions }) => ({
    part,
    sessions: sessions.filter((each) => matches({ ...each, name: `${part.node}:${each.name}` }, text)),
  }));
  return left.filter(({ sessions }) => sessions.length > 0);
});
