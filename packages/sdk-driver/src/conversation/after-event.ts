import { withNote, withSaid, withTool } from "../transcript/add-entry.js";
import type { ConversationEvent, NumberedEvent } from "./event.js";
import type { ConversationState, Fate } from "./state.js";

/** Maximum number of prompts remembered by their keys. */
const MOST_FATES = 500;

export function afterEvent(state: ConversationState, { at_ms, event }: Pick<NumberedEvent, "at_ms" | "event">): ConversationState {
  return { ...heard(change(state, { event, at_ms }), event), active_ms: Math.max(state.active_ms, at_ms) };
}

interface Happened<E> {
  readonly event: E;
  readonly at_ms: number;
}

function change(state: ConversationState, { event, at_ms }: Happened<ConversationEvent>): ConversationState {
  switch (event.type) {
    case "opened":
      return { ...state, phase: { kind: "open" }, conversation_id: event.conversation_id, agent: event.agent, settings: event.settings };
    case "failed":
      return noted(
        { ...state, phase: { kind: "failed", message: event.message, hint: event.hint }, turn: null, requests: [] },
        event.message,
      );
    case "exited":
      return { ...state, phase: { kind: "exited", status: event.status, signal: event.signal, at_ms }, turn: null, requests: [] };
    case "prompted":
      return prompted(state, { event, at_ms });
    case "written":
      return withoutKey(state, event.key);
    case "refused":
      return noted(
        {
          ...withoutKey(state, event.key),
          turn: null,
          requests: [],
          fates: withFate(state, event.key, { kind: "refused", reason: event.reason }),
        },
        `the agent refused the prompt: ${event.reason}`,
      );
    case "cancelled":
      return state.turn === null ? state : { ...state, turn: { ...state.turn, cancelled: true } };
    case "ended":
      return ended(state, { event, at_ms });
    case "broke":
      return noted({ ...state, turn: null, requests: [], last: { kind: "broke", message: event.message, at_ms } }, event.message);
    case "asked":
      return { ...state, requests: [...state.requests, event.request] };
    case "answered":
      return { ...state, requests: state.requests.filter(({ id }) => id !== event.request) };
    case "settings":
      return { ...state, settings: event.settings };
    case "unknown":
      return state;
    default:
      return { ...state, transcript: extended(state.transcript, event), prompts: state.prompts + (isReplayed(event) ? 1 : 0) };
  }
}

type OfTranscript = Extract<ConversationEvent, { type: "said" | "used" | "planned" | "counted" | "noted" }>;

function extended(transcript: ConversationState["transcript"], event: OfTranscript): ConversationState["transcript"] {
  switch (event.type) {
    case "said":
      return withSaid(transcript, { who: event.who, text: event.text, message: event.message });
    case "used":
      return withTool(transcript, event);
    case "planned":
      return { ...transcript, plan: event.plan };
    case "counted":
      return { ...transcript, tokens: event.tokens, context_limit: event.context_limit };
    case "noted":
      return withNote(transcript, event.text);
  }
}

/** An earlier prompt, which the agent reports again. */
function isReplayed(event: OfTranscript): boolean {
  return event.type === "said" && event.who === "user";
}

function prompted(
  state: ConversationState,
  { event, at_ms }: Happened<Extract<ConversationEvent, { type: "prompted" }>>,
): ConversationState {
  return {
    ...state,
    turn: { key: event.key, at_ms, cancelled: false, heard: false },
    fates: withFate(state, event.key, { kind: "taken" }),
    unwritten: [...state.unwritten, event.key].slice(-MOST_FATES),
    prompts: state.prompts + 1,
    transcript: withSaid(state.transcript, { who: "user", text: event.text, message: null }),
  };
}

function ended(state: ConversationState, { event, at_ms }: Happened<Extract<ConversationEvent, { type: "ended" }>>): ConversationState {
  const after: ConversationState = {
    ...withoutKey(state, event.key),
    turn: null,
    requests: [],
    last: { kind: "ended", stop: event.stop, at_ms },
  };
  return event.stop === "end_turn" ? after : noted(after, `the turn ended: ${event.stop.replaceAll("_", " ")}`);
}

/** All reports of the agent during a turn belong to that turn. */
function heard(state: ConversationState, { type }: ConversationEvent): ConversationState {
  const isProgress = type === "said" || type === "used" || type === "planned" || type === "asked";
  return isProgress && state.turn !== null ? { ...state, turn: { ...state.turn, heard: true } } : state;
}

function withFate({ fates }: ConversationState, key: string, fate: Fate): ConversationState["fates"] {
  return [...fates.filter((known) => known.key !== key), { key, fate }].slice(-MOST_FATES);
}

/** The prompt with this key was written to the agent in full. */
function withoutKey(state: ConversationState, written: string): ConversationState {
  return { ...state, unwritten: state.unwritten.filter((key) => key !== written) };
}

function noted(state: ConversationState, text: string): ConversationState {
  return { ...state, transcript: withNote(state.transcript, text) };
}
