import type { EventAnswer } from "@tmpm/api";
import { type Client, type EventsWanted, type FollowedEvent, followEvents, keptEvents } from "@tmpm/api/client";
import { command } from "../command.js";
import type { Context, Line, View } from "../context.js";
import { isWide, missingNotes, NODE_OPTION, type NodePart } from "../fleet/each-node.js";
import { followNodes, keptOfNodes, type NodeEvent, newestOf } from "../fleet/fleet-events.js";
import { refuseActing } from "../fleet/place.js";
import { projectArgument } from "../input/project-argument.js";
import { usageError } from "../parse/usage-error.js";
import { component, OR_NULL, objectOf, TEXT } from "../printed.js";
import { EVENT_TYPES, renderEvent } from "../render/event.js";
import { facts } from "../render/facts.js";
import { address } from "../render/fleet.js";

const PAGE = 1000;

export const events = command({
  name: "events",
  group: "Observe",
  summary: "List events, oldest first",
  more: `Each line shows the age, the session and what happened. With --json each event is one line, and its "seq" is the number for --after.
The events of all nodes are listed, each with its "node". Numbers are per machine, so --after needs one --node.
Examples:
  tmpm events demo                              the life of a session
  tmpm events --last 20                         the newest
  tmpm events --follow --type session_stopped   report each stop`,
  args: {
    session: {
      takes: "optional",
      label: "SESSION",
      summary: "Only events of this session, even a removed one",
    },
  },
  options: {
    project: { takes: "text", label: "P", summary: "Only events of sessions of this project" },
    type: { takes: "text", label: "T", summary: "Only these types, comma-separated" },
    after: { takes: "count", label: "N", summary: "Only events after this number" },
    last: { takes: "count", label: "N", summary: "Only the newest N; with --follow, then new ones" },
    node: NODE_OPTION,
    follow: { takes: "flag", summary: "Continue with new events" },
  },
  printed: {
    forms: [
      component("EventAnswer"),
      objectOf({ behind: objectOf({ snapshot_at: { type: "integer" } }) }),
      { allOf: [component("EventAnswer"), objectOf({ node: { type: OR_NULL } })] },
      objectOf({ behind: objectOf({ snapshot_at: { type: "integer" } }), node: { type: OR_NULL } }),
      objectOf({ silent: objectOf({ reason: TEXT }), node: { type: OR_NULL } }),
    ],
    perLine: true,
  },
  async run({ session, project, type, after, last, follow, node }, context): Promise<Printed> {
    const events = { session, project_id: await projectArgument(project, context), type: checkedTypes(type), after, limit: PAGE };
    // A session exists on one machine only.
    const wide = isWide(context, node) && session === undefined;
    if (wide && after !== undefined && node.length !== 1)
      throw usageError("event numbers are per machine", "With --after, name the machine: --node local, or another.");
    if (wide) return printNodeEvents({ events, last, follow, only: node }, context);
    return printEvents({ events, last, follow }, session === undefined ? context : machineOf(context, node));
  },
  render: () => "",
  json: () => "",
  notes: ({ printed, nodes }) => [...(printed === 0 ? ["no such events"] : []), ...missingNotes(nodes)],
});

/** The machine of a session that is named by its node. */
function machineOf(context: Context, node: readonly string[]): Context {
  const [label, ...more] = new Set(node);
  if (label === undefined) return context;
  if (context.node !== null) throw usageError("--node and --on are mutually exclusive", "Give one of them.");
  if (more.length > 0) throw usageError("a session is on one machine", "Give one --node, or the session as NODE:SESSION.");
  if (label === "local") return context;
  refuseActing(context.settled());
  return context.at(label);
}

interface Printed {
  readonly printed: number;
  /** The other queried machines. */
  readonly nodes: readonly NodePart[];
}

async function printEvents(wanted: Wanted, context: Context): Promise<Printed> {
  const names = await namesOf(context.client());
  let printed = 0;
  for await (const each of wantedEvents(wanted, context)) {
    printed++;
    if (!context.print(lineOf(each, { names, view: await context.view() }))) break;
  }
  return { printed, nodes: [] };
}

async function printNodeEvents(
  { events, last, follow, only }: Wanted & { readonly only: readonly string[] },
  context: Context,
): Promise<Printed> {
  const kept = await keptOfNodes(context, { only, wanted: events });
  const known = new Map<string | null, Map<string, string>>();
  let printed = 0;
  const shown = last === undefined ? kept.events : kept.events.slice(Math.max(0, kept.events.length - last));
  for await (const each of ofNodes(shown, { followed: follow ? { ...kept, events, last } : null, context })) {
    printed++;
    const names = known.get(each.node) ?? (await namesAt(context, each.node));
    known.set(each.node, names);
    if (!context.print(nodeLineOf(each, { names, view: await context.view() }))) break;
  }
  return { printed, nodes: kept.nodes };
}

interface Wanted {
  readonly events: EventsWanted;
  readonly last: number | undefined;
  readonly follow: boolean;
}

/** A daemon that is stopped meanwhile is not started again. */
async function* wantedEvents({ events, last, follow }: Wanted, context: Context): AsyncGenerator<FollowedEvent> {
  if (last === undefined) return yield* follow ? followEvents(context.observer(), events) : keptEvents(context.client(), events);
  const { newest, seq } = await newestOf(keptEvents(context.client(), events), last);
  yield* newest;
  if (follow) yield* followEvents(context.observer(), seq === null ? events : { ...events, after: seq });
}

function checkedTypes(type: string | undefined): string | undefined {
  const unknown = type?.split(",").find((each) => !EVENT_TYPES.includes(each));
  if (unknown === undefined) return type;
  throw usageError(`unknown event type ${JSON.stringify(unknown)}`, `The types are ${EVENT_TYPES.join(", ")}.`);
}

async function namesOf(client: Client): Promise<Map<string, string>> {
  const { sessions } = await client.list({ all: true });
  return new Map(sessions.map(({ id, name }) => [id, name]));
}

interface Followed {
  readonly nodes: readonly NodePart[];
  readonly seqs: ReadonlyMap<string | null, number>;
  readonly events: EventsWanted;
  readonly last: number | undefined;
}

/** The retained events, then new ones if followed. */
async function* ofNodes(
  kept: readonly NodeEvent[],
  { followed, context }: { readonly followed: Followed | null; readonly context: Context },
): AsyncGenerator<NodeEvent> {
  yield* kept;
  if (followed === null) return;
  const { nodes, seqs, events, last } = followed;
  yield* followNodes(context, { wanted: events, from: new Map(nodes.map(({ node }) => [node, seqs.get(node)])), last });
}

/** For a machine that does not answer, names come from its events. */
async function namesAt(context: Context, node: string | null): Promise<Map<string, string>> {
  if (node === null) return namesOf(context.client());
  const { sessions } = await context.client().fleet({ all: true, node: [node] });
  return new Map(sessions.map(({ id, name }) => [id, name]));
}

function nodeLineOf(each: NodeEvent, { names, view }: Known): Line {
  const { node } = each;
  if (each.kind === "silent")
    return {
      text: facts([[`${node ?? "this machine"} does not answer: ${each.reason}`]], view),
      json: JSON.stringify({ silent: { reason: each.reason }, node }),
    };
  const { text, json } = lineOf(each, { names, view, node });
  return { text, json: JSON.stringify({ ...JSON.parse(json), node }) };
}

interface Known {
  /** The machine of the event, unless it is obvious. */
  readonly node?: string | null;
  readonly names: Map<string, string>;
  readonly view: View;
}

function lineOf(followed: FollowedEvent, { names, view, node = null }: Known): Line {
  if (followed.kind === "behind") {
    const { snapshot_at } = followed;
    const text = `some events${node === null ? "" : ` of ${node}`} up to number ${snapshot_at} have been discarded`;
    return { text: facts([[text]], view), json: JSON.stringify({ behind: { snapshot_at } }) };
  }
  const { event } = followed;
  return { text: renderEvent(event, { ...view, name: addressed(nameOf(event, names), node) }), json: JSON.stringify(event) };
}

/** Names learned from the events themselves: sessions created while following are in no earlier list. */
function nameOf(event: EventAnswer, names: Map<string, string>): string | null {
  const { session_id } = event;
  if (typeof session_id !== "string") return null;
  const named = namedBy(event);
  if (named !== null && (event.type === "session_renamed" || !names.has(session_id))) names.set(session_id, named);
  return names.get(session_id) ?? null;
}

function namedBy(event: EventAnswer): string | null {
  const name = event.type === "session_renamed" ? Reflect.get(event, "to") : Reflect.get(event, "name");
  return typeof name === "string" ? name : null;
}

function addressed(name: string | null, node: string | null): string | null {
  return name === null ? null : address({ node, name });
}
