import type { EventAnswer } from "@tmpm/api";
import { type Client, type EventsWanted, type FollowedEvent, followEvents, keptEvents } from "@tmpm/api/client";
import { command } from "../command.js";
import type { Context, Line, View } from "../context.js";
import { projectArgument } from "../input/project-argument.js";
import { usageError } from "../parse/usage-error.js";
import { EVENT_TYPES, renderEvent } from "../render/event.js";
import { facts } from "../render/facts.js";

const PAGE = 1000;

export const events = command({
  name: "events",
  summary: "List events, oldest first",
  more: `Each line shows the age, the session and what happened. With --json each event is one line, and its "seq" is the number for --after.
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
    follow: { takes: "flag", summary: "Continue with new events" },
  },
  async run({ session, project, type, after, last, follow }, context): Promise<number> {
    const events = { session, project_id: projectArgument(project), type: checkedTypes(type), after, limit: PAGE };
    const names = await namesOf(context.client());
    let told = 0;
    for await (const each of wantedEvents({ events, last, follow }, context)) {
      told++;
      if (!context.tell(lineOf(each, { names, view: await context.view() }))) break;
    }
    return told;
  },
  render: () => "",
  json: () => "",
  notes: (told) => (told === 0 ? ["no such events"] : []),
});

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

/** The newest `count` events, and the number of the latest event. */
async function newestOf(all: AsyncIterable<FollowedEvent>, count: number) {
  const newest: FollowedEvent[] = [];
  let seq: number | null = null;
  for await (const each of all) {
    seq = each.kind === "event" ? each.event.seq : each.snapshot_at;
    newest.push(each);
    if (newest.length > count) newest.shift();
  }
  return { newest, seq };
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

interface Known {
  readonly names: Map<string, string>;
  readonly view: View;
}

function lineOf(followed: FollowedEvent, { names, view }: Known): Line {
  if (followed.kind === "behind") {
    const { snapshot_at } = followed;
    const text = `some events up to number ${snapshot_at} are no longer kept`;
    return { text: facts([[text]], view), json: JSON.stringify({ behind: { snapshot_at } }) };
  }
  const { event } = followed;
  return { text: renderEvent(event, { ...view, name: nameOf(event, names) }), json: JSON.stringify(event) };
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
