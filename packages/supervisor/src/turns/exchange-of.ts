import type { Exchange, Transcript } from "@tmpm/agents";
import { msFromTimestamp, type Turn } from "@tmpm/core";
import { holdsPrompt } from "../observe/holds-prompt.js";

/** The first exchange with the turn's prompt since the turn began. */
export function exchangeOf(transcript: Transcript, turn: Turn): Exchange | null {
  const found = exchangesSince(transcript, turn).filter(({ prompt }) => holdsPrompt(prompt, turn.prompt));
  return (found[0]?.atMs === null ? found.at(-1) : found[0]) ?? null;
}

/** The first exchange that began while the turn ran, regardless of its prompt; null when the record has no times. */
export function exchangeDuring(transcript: Transcript, turn: Turn): Exchange | null {
  const untilMs = turn.ended_at === null ? Number.POSITIVE_INFINITY : msFromTimestamp(turn.ended_at);
  return exchangesSince(transcript, turn).find(({ atMs }) => atMs !== null && atMs <= untilMs) ?? null;
}

function exchangesSince({ exchanges, prompt, reply }: Transcript, { started_at }: Turn): readonly Exchange[] {
  const all = exchanges ?? (prompt === null ? [] : [{ prompt, reply, error: null, atMs: null }]);
  const sinceMs = started_at === null ? 0 : msFromTimestamp(started_at);
  return all.filter(({ atMs }) => (atMs ?? sinceMs) >= sinceMs);
}
