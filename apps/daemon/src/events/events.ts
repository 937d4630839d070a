import { ALIVE_MS, type EventsAnswer, type Parsed } from "@tmpm/api";
import { TmpmError, UUID_PATTERN } from "@tmpm/core";
import type { EventJournal } from "@tmpm/store";
import { type EventsFrom, eventPages } from "./event-pages.js";
import { eventStream } from "./event-stream.js";
import { type WaitFrom, type WaitPorts, waitFrom } from "./wait-from.js";

/** The journal for clients: in pages, or as a stream. */
export interface Events {
  page(input: Parsed<"events">, request: { readonly signal: AbortSignal }): Promise<EventsAnswer>;
  /** Frames of `text/event-stream`, until the signal aborts. @throws the errors of the page */
  stream(input: Parsed<"events">, request: StreamRequest): Promise<AsyncIterable<string>>;
  /** Waits for states of sessions, also those reached since an event. */
  waitFrom(waitMany: WaitPorts["waitMany"], from: WaitFrom): ReturnType<typeof waitFrom>;
}

export interface StreamRequest {
  readonly signal: AbortSignal;
  /** The `Last-Event-ID` with which a broken stream resumes; it overrides `after`. */
  readonly lastEventId: string | null;
}

export interface EventsOptions {
  readonly journal: Pick<EventJournal, "read" | "follow">;
  /** The id of a session given by any reference. @throws SESSION_NOT_FOUND, SESSION_AMBIGUOUS */
  readonly sessionId: (session: string) => Promise<string>;
  /** The id of a project given by id or path. @throws PROJECT_NOT_FOUND, INVALID_ARGUMENT */
  readonly projectId: (project: string) => Promise<string>;
  /** Resolves when the events emitted so far are in the journal, or cannot be written at the moment. */
  readonly written?: () => Promise<void>;
  readonly heartbeatMs?: number;
}

const LIMIT = 100;

export function events({ journal, sessionId, projectId, written = async () => undefined, heartbeatMs = ALIVE_MS }: EventsOptions): Events {
  const pages = eventPages(journal);

  async function fromOf({ after, limit, session, project_id: project, type }: Parsed<"events">): Promise<EventsFrom> {
    const session_id = session === undefined || UUID_PATTERN.test(session) ? session : await sessionId(session);
    const project_id = project === undefined ? undefined : await projectId(project);
    return { after: after ?? null, limit: limit ?? LIMIT, filter: { session_id, project_id, types: type } };
  }

  return {
    async page(input, { signal }) {
      const from = await fromOf(input);
      const { wait_ms = 0 } = input;
      const { events: found, next, behind } = await (wait_ms === 0 ? pages.read(from) : pages.wait(from, { ms: wait_ms, signal }));
      return { events: found, next, behind };
    },
    async stream(input, { signal, lastEventId }) {
      const after = lastEventId === null ? {} : { after: numberOf(lastEventId) };
      return eventStream(pages, { from: await fromOf({ ...input, ...after }), heartbeatMs: input.alive_ms ?? heartbeatMs, signal });
    },
    waitFrom: (waitMany, from) => waitFrom({ waitMany, journal, written }, from),
  };
}

function numberOf(lastEventId: string): number {
  const number = /^\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new TmpmError("INVALID_ARGUMENT", "Last-Event-ID: not the number of an event", { details: { part: "header" } });
}
