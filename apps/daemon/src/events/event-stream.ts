import { hasCode, isTmpmError, TmpmError, toErrorBody } from "@tmpm/core";
import type { EventPage, EventPages, EventsFrom } from "./event-pages.js";

export interface EventStreamOptions {
  readonly from: EventsFrom;
  /** Heartbeat interval, with which both sides notice a lost connection. */
  readonly heartbeatMs: number;
  readonly signal: AbortSignal;
}

/**
 * The frames of a server-sent event stream. A message is an event, its id the event's number; a comment with an id reports progress although nothing matched.
 * `behind` and `error` are events of those names, and `end` is sent by a stopping daemon.
 */
export async function* eventStream(pages: EventPages, { from, heartbeatMs, signal }: EventStreamOptions): AsyncGenerator<string> {
  yield "retry: 1000\n\n";
  try {
    for (let { after } = from; !signal.aborted; ) {
      const page = await pages.wait({ ...from, after }, { ms: heartbeatMs, signal });
      after = page.next;
      yield framesOf(page);
    }
    if (hasCode(signal.reason, "SHUTTING_DOWN")) yield frame({ event: "end", data: { reason: "stopping" } });
  } catch (error) {
    const reported = isTmpmError(error) ? error : new TmpmError("INTERNAL", "the daemon failed to read the events", { cause: error });
    yield frame({ event: "error", data: { error: toErrorBody(reported) } });
    if (reported !== error) throw error;
  }
}

function framesOf({ events, next, behind }: EventPage): string {
  if (behind !== null) return frame({ id: next, event: "behind", data: behind });
  const frames = events.map((event) => frame({ id: event.seq, data: event }));
  const reached = events.at(-1)?.seq === next ? [] : [`: so far\nid: ${next}\n\n`];
  return [...frames, ...reached].join("");
}

/** JSON on one line, as line ends would end the field. */
function frame({ id, event, data }: { readonly id?: number; readonly event?: string; readonly data: unknown }): string {
  const lines = [...(id === undefined ? [] : [`id: ${id}`]), ...(event === undefined ? [] : [`event: ${event}`])];
  return `${[...lines, `data: ${JSON.stringify(data)}`].join("\n")}\n\n`;
}
