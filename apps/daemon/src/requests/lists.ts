import type { Output, Parsed } from "@tmpm/api";
import type { AgentFacts, Listing, SendFacts, SessionFacts, Supervisor } from "@tmpm/supervisor";
import { agentAnswer } from "../answers/agent-answer.js";
import { keptSend, listAnswer } from "../answers/answer.js";
import { type KnownProfiles, type NamedProfile, profileAnswer } from "../answers/profile-answer.js";
import { projectAnswer } from "../answers/project-answer.js";
import { type Written, written } from "./answer.js";
import type { Operation } from "./background-operations.js";
import { type Order, type Page, paged } from "./paged.js";
import { sessionJson, sessionPart } from "./session-json.js";

type Wanted = Parsed<"list">;

/** Lists in API responses: filtered, sorted and paged. @throws INVALID_ARGUMENT for a cursor of another list */
export function sessionList(listing: Listing, wanted: Wanted): Output<"list"> {
  const { items, next } = sessionPage(listing.sessions, wanted);
  return { ...listAnswer({ ...listing, sessions: items }), next };
}

/** The same as JSON, with the fields of `more` added. */
export function sessionListJson(listing: Listing, { wanted, more }: { readonly wanted: Wanted; readonly more: object }): Written {
  const { items, next } = sessionPage(listing.sessions, wanted);
  const { sessions: _, ...rest } = { ...listAnswer({ ...listing, sessions: [] }), next, ...more };
  const { fields } = wanted;
  const write = fields === undefined ? sessionJson : (facts: SessionFacts) => sessionPart(facts, fields);
  const parts = items.flatMap((facts, index) => (index === 0 ? [write(facts)] : [COMMA, write(facts)]));
  return written(Buffer.concat([SESSIONS, ...parts, Buffer.from(`],${JSON.stringify(rest).slice(1)}`)]), null);
}

const SESSIONS = Buffer.from('{"sessions":[');
const COMMA = Buffer.from(",");

export function sendList(sends: readonly SendFacts[], paging: Parsed<"sends">): Output<"sends"> {
  const order: Order<SendFacts> = {
    name: "-accepted_at",
    descending: true,
    by: ({ entry }) => Date.parse(entry.accepted_at),
    id: ({ entry }) => entry.id,
  };
  const { items, next } = paged(sends, { ...paging, order });
  return { sends: items.map(keptSend), next };
}

export function agentList(agents: readonly AgentFacts[], paging: Parsed<"agents">): Output<"agents"> {
  const order: Order<AgentFacts> = { name: "id", descending: false, by: ({ adapter }) => adapter.id, id: ({ adapter }) => adapter.id };
  const { items, next } = paged(agents, { ...paging, order });
  return { agents: items.map(agentAnswer), next };
}

export function profileList(known: KnownProfiles, paging: Parsed<"profiles">): Output<"profiles"> {
  const order: Order<NamedProfile> = { name: "name", descending: false, by: ([name]) => name, id: ([name]) => name };
  const { items, next } = paged(Object.entries(known.profiles), { ...paging, order });
  return { profiles: items.map(profileAnswer), default: known.default, next };
}

type ProjectFacts = Awaited<ReturnType<Supervisor["projects"]>>[number];

export function projectList(projects: readonly ProjectFacts[], paging: Parsed<"projects">): Output<"projects"> {
  const order: Order<ProjectFacts> = {
    name: "path",
    descending: false,
    by: ({ project }) => project.path,
    id: ({ project }) => project.path,
  };
  const { items, next } = paged(projects, { ...paging, order });
  return { projects: items.map(projectAnswer), next };
}

export function operationList(operations: readonly Operation[], { state, ...paging }: Parsed<"operations">): Output<"operations"> {
  const order: Order<Operation> = {
    name: "-started_at",
    descending: true,
    by: ({ started_at }) => Date.parse(started_at),
    id: ({ id }) => id,
  };
  const found = operations.filter((operation) => state === undefined || state.includes(operation.state));
  const { items, next } = paged(found, { ...paging, order });
  return { operations: [...items], next };
}

function sessionPage(sessions: readonly SessionFacts[], wanted: Wanted): Page<SessionFacts> {
  const { limit, cursor, sort = "-created_at" } = wanted;
  const found = sessions.filter((facts) => isWanted(facts, wanted));
  // The input is ordered newest first.
  if (limit === undefined && cursor === undefined && wanted.sort === undefined) return { items: found, next: null };
  const field = sort.replace(/^-/, "");
  const order: Order<SessionFacts> = {
    name: sort,
    descending: sort.startsWith("-"),
    by: (facts) => sortable(facts, field),
    id: ({ record }) => record.id,
  };
  return paged(found, { limit, cursor, order });
}

function isWanted({ record, activity }: SessionFacts, { state, activity: activities, agent, owner, issue_id, q }: Wanted): boolean {
  const one = (given: readonly string[] | undefined, value: string | null) =>
    given === undefined || (value !== null && given.includes(value));
  return (
    one(state, record.state) &&
    one(activities, activity.state) &&
    one(agent, record.agent) &&
    one(owner, record.owner) &&
    one(issue_id, record.issue_id) &&
    holds(record, q)
  );
}

/** Searches the fields by which people identify a session; case-insensitive. */
function holds({ name, task, cwd, branch, issue_id }: SessionFacts["record"], q: string | undefined): boolean {
  const words = q?.toLowerCase();
  if (words === undefined || issue_id?.toLowerCase() === words) return true;
  return [name, task, cwd, branch].some((text) => text?.toLowerCase().includes(words));
}

function sortable({ record, activity }: SessionFacts, field: string): string | number {
  switch (field) {
    case "updated_at":
      return Date.parse(record.updated_at);
    case "last_activity_at":
      return record.last_activity_at === null ? 0 : Date.parse(record.last_activity_at);
    case "name":
      return record.name;
    case "state":
      return record.state;
    case "activity":
      return activity.state;
    default:
      return Date.parse(record.created_at);
  }
}
