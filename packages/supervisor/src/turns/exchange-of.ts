import type { Exchange, Transcript } from "@tmpm/agents";
import { msFromTimestamp, type Turn } from "@tmpm/core";

const ENOUGH = 200;

/** The first exchange with the turn's prompt since the turn began. Agents change blanks, and put words of their own before a prompt. */
export function exchangeOf({ exchanges, prompt, reply }: Transcript, turn: Turn): Exchange | null {
  const all = exchanges ?? (prompt === null ? [] : [{ prompt, reply, error: null, atMs: null }]);
  const wanted = squeeze(turn.prompt).slice(0, ENOUGH);
  const sinceMs = turn.started_at === null ? 0 : msFromTimestamp(turn.started_at);
  const found = all.filter((each) => (each.atMs ?? sinceMs) >= sinceMs && squeeze(each.prompt).includes(wanted));
  return (found[0]?.atMs === null ? found.at(-1) : found[0]) ?? null;
}

function squeeze(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, "");
}
