import { keyOf } from "../render/key-of.js";
import { pressedInDiff, withChanges, withHunks } from "./in-diff.js";
import type { Message } from "./message.js";
import { obey } from "./obey.js";
import { heardOf, withListed, withoutNode, withoutSession, withSilence } from "./of-nodes.js";
import { pointAt } from "./pointing.js";
import { listedSessions, selectedSession, type TopState } from "./state.js";
import { named, type Step, still } from "./step.js";
import { helpPage } from "./view/help-page.js";

/** The dashboard's next state and effects after a message, at its current time. The selection stays on its session while that is listed. */
export function update(state: TopState, message: Message): Step {
  const step = advance(state, message);
  return { state: keepSelected(state, step.state), effects: step.effects };
}

function advance(state: TopState, message: Message): Step {
  switch (message.kind) {
    case "listed":
      return still(withListed(state, message));
    case "seen":
      return still(heardOf(state, message));
    case "gone":
      return still(withoutSession(state, message));
    case "silent":
      return still(withSilence(state, message));
    case "removed":
      return still(withoutNode(state, message.node));
    case "connected":
      return still({ ...state, connected: message.connected });
    case "screen":
      return still(message.screen.session === state.selected ? { ...state, screen: message.screen } : state);
    case "resized":
      return still({ ...state, size: message.size });
    case "ticked":
      return still(state);
    case "noted":
      return still({ ...state, notice: message.notice });
    case "changes":
      return still(withChanges(state, message));
    case "hunks":
      return still(withHunks(state, message));
    case "found":
      return still(withFound(state, message.found));
    case "command":
      return obey({ ...state, notice: null }, message.command);
    case "key":
      return pressed({ ...state, notice: null }, message.key);
    case "pointed":
      return still(pointAt(state, message.pointed));
    case "typed":
      return still(state.mode.kind === "filter" ? { ...state, filter: message.text } : state);
    case "entered":
      return entered(state, message.text);
    case "left":
      return still(left(state));
  }
}

function withFound(state: TopState, found: TopState["found"]): TopState {
  if (found === null || found.lines.size > 0) return { ...state, found, notice: null };
  return { ...state, found: null, notice: { text: `no screen shows ${JSON.stringify(found.query)}`, tone: "plain" } };
}

const HELP_KEYS: Readonly<Record<string, number>> = { up: -1, k: -1, pageUp: -10, down: 1, j: 1, pageDown: 10, space: 10 };

function scrolledHelp(state: TopState, by: number): TopState {
  if (state.mode.kind !== "help") return state;
  const most = Math.max(0, helpPage(state.size.columns).length - state.size.rows);
  return { ...state, mode: { kind: "help", from: Math.max(0, Math.min(state.mode.from + by, most)) } };
}

/** Choices are numbered by the agent. */
function pressed(state: TopState, key: string): Step {
  const { mode } = state;
  if (mode.kind === "changes" || mode.kind === "hunks") return pressedInDiff(state, { mode, key });
  const list: TopState = { ...state, mode: { kind: "list" } };
  if (state.mode.kind === "stop") {
    return { state: list, effects: key === "y" ? [{ kind: "stop", session: state.mode.session }] : [] };
  }
  if (state.mode.kind === "help") return still(HELP_KEYS[key] === undefined ? list : scrolledHelp(state, HELP_KEYS[key]));
  const session = selectedSession(state);
  const decision = session?.decision ?? null;
  if (session === null || decision === null || !/^[1-9]$/.test(key)) return still(state);
  const choice = decision.choices[Number(key) - 1];
  if (choice === undefined) return still(state);
  if (!choice.answerable || choice.takes_text) {
    return still({ ...state, notice: { text: `${session.name}: answer it in its terminal (Enter)`, tone: "plain" } });
  }
  const answer = { kind: "choice", number: Number(key) } as const;
  return { state, effects: [{ kind: "answer", session: named(session), decision: decision.id, answer }] };
}

function entered(state: TopState, text: string): Step {
  const list: TopState = { ...state, mode: { kind: "list" } };
  const { mode } = state;
  if (text.trim() === "" && mode.kind !== "filter") return still(list);
  if (mode.kind === "search")
    return { state: list, effects: [{ kind: "search", query: text, sessions: listedSessions({ ...list, found: null }) }] };
  if (mode.kind !== "send") return still(list);
  const known = state.sessions.get(keyOf(mode.to))?.activity.state;
  const queue = known === "working" || known === "starting";
  return { state: list, effects: [{ kind: "send", session: mode.to, text, queue }] };
}

function left(state: TopState): TopState {
  const list: TopState = { ...state, mode: { kind: "list" } };
  return state.mode.kind === "filter" ? { ...list, filter: state.mode.before } : list;
}

/** Selects the session in the same position when the selected one disappears from the list. */
function keepSelected(before: TopState, after: TopState): TopState {
  const sessions = listedSessions(after);
  if (sessions.some((session) => keyOf(session) === after.selected)) {
    return after.selected === before.selected ? after : { ...after, screen: null, scrolled: 0 };
  }
  const at = listedSessions(before).findIndex((session) => keyOf(session) === before.selected);
  const instead = sessions[Math.max(0, Math.min(at, sessions.length - 1))];
  const selected = instead === undefined ? null : keyOf(instead);
  return selected === after.selected ? after : { ...after, selected, screen: null, scrolled: 0 };
}
