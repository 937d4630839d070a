import type { FleetSession, SessionAnswer } from "@tmpm/api";
import { lastKnown } from "@tmpm/api/standing";
import { timestampFromMs } from "@tmpm/core";
import { address } from "../render/fleet.js";
import { keyOf } from "../render/key-of.js";
import type { Message } from "./message.js";
import type { TopState } from "./state.js";

type Of<K extends Message["kind"]> = Extract<Message, { readonly kind: K }>;

/** A machine has listed all of its sessions, so it answers. */
export function withListed(state: TopState, { node, sessions, problems }: Of<"listed">): TopState {
  const others = [...state.sessions].filter(([, session]) => session.node !== node);
  const own = sessions.map((session) => placed(session, node)).map((session) => [keyOf(session), session] as const);
  return {
    ...state,
    sessions: new Map([...others, ...own]),
    problems: new Map(state.problems).set(node, problems),
    silent: node === null ? state.silent : without(state.silent, node),
  };
}

/** Late results of a silent node were in transit before it fell silent. */
export function heardOf(state: TopState, { node, session }: Of<"seen">): TopState {
  const silence = node === null ? undefined : state.silent.get(node);
  const now = placed(session, node);
  const shown = node === null || silence === undefined ? now : ofThePast(now, { node, asOf: silence.asOf });
  // The map keeps the position of an existing session.
  return { ...state, sessions: new Map(state.sessions).set(keyOf(shown), shown) };
}

export function withoutSession(state: TopState, gone: Of<"gone">): TopState {
  return { ...state, sessions: without(state.sessions, keyOf(gone)) };
}

/** Its sessions are kept, as of its last response. The newest reason is shown, and the first time kept. */
export function withSilence(state: TopState, { node, reason, asOf }: Of<"silent">): TopState {
  const known = state.silent.get(node);
  // The error of a link contains the node's name, and so does the display.
  const silence = {
    reason: reason.replace(`${node} does not answer: `, ""),
    asOf: silentSince(known, { asOf, now: state.now }),
  };
  const sessions = [...state.sessions].map(
    ([key, session]) => [key, session.node === node ? ofThePast(session, { node, asOf: silence.asOf }) : session] as const,
  );
  const selected = state.selected === null ? null : state.sessions.get(state.selected);
  return {
    ...state,
    sessions: new Map(sessions),
    silent: new Map(state.silent).set(node, silence),
    screen: selected?.node === node ? null : state.screen,
  };
}

/** Null, for a node that never answered, is a valid value. */
function silentSince(
  known: { readonly asOf: string | null } | undefined,
  { asOf, now }: { readonly asOf: string | null | undefined; readonly now: number },
): string | null {
  if (known !== undefined) return known.asOf;
  return asOf === undefined ? timestampFromMs(now) : asOf;
}

export function withoutNode(state: TopState, node: string): TopState {
  return {
    ...state,
    sessions: new Map([...state.sessions].filter(([, session]) => session.node !== node)),
    problems: without(state.problems, node),
    silent: without(state.silent, node),
  };
}

function placed(session: SessionAnswer, node: string | null): FleetSession {
  return { ...session, name: address({ node, name: session.name }), node, was: typeof session.was === "string" ? session.was : null };
}

function ofThePast(session: FleetSession, at: { readonly node: string; readonly asOf: string | null }): FleetSession {
  return session.was === null ? lastKnown(session, at) : session;
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  return new Map([...map].filter(([each]) => each !== key));
}
