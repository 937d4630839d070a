import type { FleetList, FleetPart, FleetSession, Input, SessionList } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { lastKnown } from "@tmpm/api/standing";
import { hasCode, isTmpmError, timestampFromMs } from "@tmpm/core";
import type { NodeState } from "@tmpm/fleet";
import * as z from "zod";
import type { KeptSessions } from "./node-record.js";

/** The interface for listing the sessions of one other machine. */
export interface AskedNode {
  readonly label: string;
  readonly state: () => NodeState;
  readonly client: Pick<Client, "list">;
  /** Its last complete list of sessions; null before the first. */
  readonly last: () => KeptSessions | null;
  readonly keep: (kept: KeptSessions) => void;
}

type Query = Pick<Input<"list">, "all" | "archived" | "project_id" | "issue_id" | "state">;

export interface FleetQuery {
  readonly query: Query;
  readonly withinMs: number;
  /** This machine's own sessions; null if they were not requested. */
  readonly own: (() => Promise<SessionList>) | null;
  readonly now: () => number;
}

interface Part {
  readonly part: FleetPart;
  readonly sessions: readonly FleetSession[];
  readonly problems: SessionList["problems"];
}

/** Queries this machine and all others in parallel. A late or silent one delays the result by at most `withinMs`. */
export async function fleetSessions(nodes: readonly AskedNode[], { query, withinMs, own, now }: FleetQuery): Promise<FleetList> {
  const parts = await Promise.all([
    ...(own === null ? [] : [ownPart(own, now)]),
    ...nodes.map((node) => nodePart(node, { query, withinMs, now })),
  ]);
  return {
    sessions: parts.flatMap(({ sessions }) => sessions),
    problems: parts.flatMap(({ problems, part }) => problems.map((problem) => ({ ...problem, node: part.node }))),
    complete: parts.every(({ part }) => part.complete),
    nodes: parts.map(({ part }) => part),
    next: null,
  };
}

async function ownPart(own: () => Promise<SessionList>, now: () => number): Promise<Part> {
  const { sessions, problems, store } = await own();
  return {
    part: { node: null, complete: store.state === "ok", as_of: timestampFromMs(now()), presence: "online", reason: store.message },
    sessions: sessions.map((session) => ({ ...session, node: null, was: null })),
    problems,
  };
}

async function nodePart(node: AskedNode, { query, withinMs, now }: Pick<FleetQuery, "query" | "withinMs" | "now">): Promise<Part> {
  const { presence, error } = node.state();
  if (presence === "offline") return ofThePast(node, { query, reason: error?.message ?? "it does not answer" });
  try {
    const { sessions, problems, store } = nodeList(await node.client.list(query, { timeoutMs: withinMs }));
    const as_of = timestampFromMs(now());
    if (isWhole(query)) node.keep({ as_of, sessions, problems });
    return {
      part: { node: node.label, complete: store.state === "ok", as_of, presence: node.state().presence, reason: store.message },
      sessions: sessions.map((session) => ({ ...session, node: node.label, was: null })),
      problems,
    };
  } catch (failure) {
    // The node does not know the project, so it has no sessions of it.
    if (hasCode(failure, "PROJECT_NOT_FOUND"))
      return {
        part: { node: node.label, complete: true, as_of: timestampFromMs(now()), presence, reason: null },
        sessions: [],
        problems: [],
      };
    return ofThePast(node, { query, reason: reasonOf(failure, withinMs) });
  }
}

/** One node's failure, of whatever kind, is not that of the others. */
function reasonOf(failure: unknown, withinMs: number): string {
  if (!isTmpmError(failure)) return "its response is not a list of sessions";
  return failure.details.reason === "no_answer" ? `no answer within ${withinMs} ms` : failure.message;
}

/** The parts on which a list of all machines depends; the rest of a session is as its node's version writes it. */
const NodeList = z.looseObject({
  sessions: z.array(
    z.looseObject({
      ...{ id: z.string(), name: z.string(), state: z.string(), project_id: z.string() },
      activity: z.looseObject({ state: z.string(), evidence: z.array(z.string()) }),
    }),
  ),
  problems: z.array(z.looseObject({ id: z.string() })),
  store: z.looseObject({ state: z.string(), message: z.string().nullable() }),
});

/** @throws ZodError for a response that is not a list */
export function nodeList(answer: SessionList): SessionList {
  NodeList.parse(answer);
  return answer;
}

/** Last known data, marked as such. */
function ofThePast(node: AskedNode, { query, reason }: { readonly query: Query; readonly reason: string }): Part {
  const last = node.last();
  const fitting = (last?.sessions ?? []).filter(
    (session) =>
      query.archived !== true &&
      (query.state === undefined || [query.state].flat().includes(session.state)) &&
      (query.project_id === undefined || session.project_id === query.project_id) &&
      (query.issue_id === undefined || [query.issue_id].flat().includes(session.issue_id ?? "")),
  );
  return {
    part: { node: node.label, complete: false, as_of: last?.as_of ?? null, presence: node.state().presence, reason },
    sessions: fitting.map((session) => lastKnown(session, { node: node.label, asOf: last?.as_of ?? null })),
    problems: last?.problems ?? [],
  };
}

function isWhole({ all, archived, project_id, issue_id, state }: Query): boolean {
  return !all && !archived && project_id === undefined && issue_id === undefined && state === undefined;
}
