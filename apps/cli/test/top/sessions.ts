import type { SessionAnswer } from "@tmpm/api";
import type { Message } from "../../src/top/message.js";
import { initialState, type Size, type TopState } from "../../src/top/state.js";
import { update } from "../../src/top/update.js";
import { sessionAnswer } from "../fixtures/session-answer.js";

export const NOW = Date.parse("2026-01-01T01:00:00Z");

/** A session with that name and activity. */
export function session(name: string, activity: string, changes: Record<string, unknown> = {}): SessionAnswer {
  const base = sessionAnswer();
  const digits = [...name]
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join("")
    .padEnd(12, "0")
    .slice(0, 12);
  return sessionAnswer({
    id: `11111111-2222-4333-8444-${digits}`,
    name,
    activity: { ...base.activity, state: activity, evidence: [] },
    ...changes,
  });
}

export function approval(subject: string, changes: Record<string, unknown> = {}) {
  return {
    id: "9b2f5d8c-1f0e-4a57-8a47-0d2b6f2f7c11",
    session_id: "11111111-2222-4333-8444-555555555555",
    agent: "claude",
    kind: "approval",
    tool: "Bash",
    subject,
    choices: [
      { label: "Yes", answerable: true, takes_text: false },
      { label: "No", answerable: true, takes_text: false },
    ],
    screen_digest: null,
    since: "2026-01-01T00:00:00Z",
    ...changes,
  };
}

export function topWith(sessions: readonly SessionAnswer[], size: Size = { columns: 120, rows: 30 }): TopState {
  return after(initialState(size, NOW), { kind: "listed", node: null, sessions, problems: 0 });
}

/** The state after some messages. */
export function after(state: TopState, ...messages: readonly Message[]): TopState {
  return messages.reduce((before, message) => update(before, message).state, state);
}
