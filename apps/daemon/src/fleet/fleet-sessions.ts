import type { FleetList, FleetPart, FleetSession, Input, SessionList } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { lastKnown } from "@tmpm/api/standing";
import { hasCode, isTmpmError, timestampFromMs } from "@tmpm/core";
import type { NodeState, Patience } from "@tmpm/fleet";
import { marked, withFields } from "./marked-session.js";
import { nodeList } from "./node-list.js";
import type { KeptSessions } from "./node-record.js";

/** The interface for listing the sessions of one other machine. */
export interface AskedNode {
  readonly label: string;
  readonly state: () => NodeState;
  readonly client: Pick<Client, "list">;
  /** Its last complete list of sessions; null before the first. */
  readonly last: () => KeptSessions | null;
  readonly keep: (kept: KeptSessions) => void;
  /** The number of prompts that wait for it. */
  readonly waiting: () => number;
}

type Query = Pick<Input<"list">, "all" | "archived" | "project_id" | "issue_id" | "state">;

export interface FleetQuery {
  readonly query: Query;
  /** The fields of each session in the result; null for all. */
  readonly fields: readonly string[] | null;
  /** Ends the wait for silent nodes. */
  readonly patience: Patience;
  /** This machine's own sessions; null if they were not requested. */
  readonly own: (() => Promise<SessionList>) | null;
  readonly now: () => number;
}

interface Part {
  readonly part: FleetPart;
  readonly sessions: readonly FleetSession[];
  readonly problems: SessionList["problems"];
}

/** Queries this machine and all others in parallel. Late and silent ones delay the result together by no more than the patience. */
export async function fleetSessions(nodes: readonly AskedNode[], { query, fields, patience, own, now }: FleetQuery): Promise<FleetList> {
  const parts = await Promise.all([
    ...(own === null ? [] : [ownPart(own, { fields, now })]),
    ...nodes.map((node) => nodePart(node, { query, fields, patience, now })),
  ]);
  return {
    sessions: parts.flatMap(({ sessions }) => sessions),
    problems: parts.flatMap(({ problems, part }) => problems.map((problem) => ({ ...problem, node: part.node }))),
    complete: parts.every(({ part }) => part.complete),
    nodes: parts.map(({ part }) => part),
    next: null,
  };
}

async function ownPart(own: () => Promise<SessionList>, { fields, now }: Pick<FleetQuery, "fields" | "now">): Promise<Part> {
  const { sessions, problems, store } = await own();
  const part: FleetPart = { node: null, presence: "online", waiting: 0, ...readFrom(store, now()) };
  return {
    part,
    sessions: sessions.map((session) => marked(session, { node: null, fields })),
    problems,
  };
}

async function nodePart(node: AskedNode, { query, fields, patience, now }: Omit<FleetQuery, "own">): Promise<Part> {
  const { presence, error } = node.state();
  if (presence === "offline") return ofThePast(node, { query, fields, reason: error?.message ?? "it does not answer" });
  try {
    const { sessions, problems, store } = nodeList(await node.client.list(query, { signal: patience.signal }));
    const read = readFrom(store, now());
    if (isWhole(query)) node.keep({ as_of: read.as_of, sessions, problems });
    return {
      part: partOf(node, read),
      sessions: sessions.map((session) => marked(session, { node: node.label, fields })),
      problems,
    };
  } catch (failure) {
    // The node does not know the project, so it has no sessions of it.
    if (hasCode(failure, "PROJECT_NOT_FOUND"))
      return { part: partOf(node, readFrom({ state: "ok", message: null }, now())), sessions: [], problems: [] };
    return ofThePast(node, { query, fields, reason: reasonOf(failure) });
  }
}

/** What a part says of the list itself. */
type Read = Pick<FleetPart, "complete" | "as_of" | "reason">;

function readFrom({ state, message }: Pick<SessionList["store"], "state" | "message">, now: number): Read & { readonly as_of: string } {
  return { complete: state === "ok", as_of: timestampFromMs(now), reason: message };
}

function partOf(node: AskedNode, read: Read): FleetPart {
  return { node: node.label, presence: node.state().presence, waiting: node.waiting(), ...read };
}

/** One node's failure, of whatever kind, is not that of the others. */
function reasonOf(failure: unknown): string {
  return isTmpmError(failure) ? failure.message : "its response is not a list of sessions";
}

/** Last known data, marked as such. */
function ofThePast(node: AskedNode, { query, fields, reason }: Pick<FleetQuery, "query" | "fields"> & { readonly reason: string }): Part {
  const last = node.last();
  const fitting = (last?.sessions ?? []).filter(
    (session) =>
      query.archived !== true &&
      (query.state === undefined || [query.state].flat().includes(session.state)) &&
      (query.project_id === undefined || session.project_id === query.project_id) &&
      (query.issue_id === undefined || [query.issue_id].flat().includes(session.issue_id ?? "")),
  );
  return {
    part: partOf(node, { complete: false, as_of: last?.as_of ?? null, reason }),
    sessions: fitting.map((session) => withFields(lastKnown(session, { node: node.label, asOf: last?.as_of ?? null }), fields)),
    problems: last?.problems ?? [],
  };
}

function isWhole({ all, archived, project_id, issue_id, state }: Query): boolean {
  return !all && !archived && project_id === undefined && issue_id === undefined && state === undefined;
}
