import type { Activity } from "@tmpm/core";
import { addEvidence, type Edge, type Evidence, edgeEvidence, type Level, levelEvidence } from "./evidence.js";

/** All that was seen and heard of one session since its launch. */
export interface Track {
  /** The newest edge that names a state; null before the first. */
  readonly edge: Edge | null;
  /** A look after the edge showed what it said: from then on looks alone decide. */
  readonly met: boolean;
  readonly level: Level | null;
  readonly account: readonly Evidence[];
  /** Sub-agents that run, by the agent's own ids. */
  readonly subagents: ReadonlySet<string>;
  /** When any hook of the session was last heard, in milliseconds since 1970. */
  readonly heardMs: number | null;
  /** What was believed last, from which a belief in the same state inherits its beginning. */
  readonly belief: Activity | null;
}

export const EMPTY_TRACK: Track = {
  edge: null,
  met: false,
  level: null,
  account: [],
  subagents: new Set(),
  heardMs: null,
  belief: null,
};

export function withLevel(track: Track, level: Level): Track {
  return { ...track, level, met: track.met || meets(track.edge, level), account: addEvidence(track.account, levelEvidence(level)) };
}

/** Edges may arrive in another order than they happened; one that is older than the newest changes nothing but the account. */
export function withEdge(track: Track, edge: Edge): Track {
  const account = addEvidence(track.account, edgeEvidence(edge));
  const heardMs = Math.max(edge.atMs, track.heardMs ?? 0);
  if (edge.state === null || (track.edge !== null && edge.atMs < track.edge.atMs)) return { ...track, account, heardMs };
  const { level } = track;
  return { ...track, edge, met: level !== null && meets(edge, level), account, heardMs, subagents: subagentsAfter(track, edge) };
}

export function withSubagent(track: Track, { change, id }: { readonly change: "started" | "ended"; readonly id: string }): Track {
  const subagents = new Set(track.subagents);
  if (change === "started") subagents.add(id);
  else subagents.delete(id);
  return { ...track, subagents };
}

/** Whether a look that is no older than the edge shows what it said. An ended turn may show as one that failed. */
function meets(edge: Edge | null, level: Level): boolean {
  if (edge === null || level.atMs < edge.atMs) return false;
  if (level.state === edge.state) return true;
  if (isQuestion(edge.state)) return isQuestion(level.state);
  return edge.state === "idle" && level.state === "errored";
}

export function isQuestion(state: Edge["state"]): boolean {
  return state === "awaiting_approval" || state === "awaiting_input";
}

/** An ended turn ends them all, whatever was missed. */
function subagentsAfter(track: Track, edge: Edge): ReadonlySet<string> {
  return edge.state === "idle" || edge.state === "errored" ? new Set() : track.subagents;
}
