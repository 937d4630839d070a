import { afterEvent } from "../conversation/after-event.js";
import type { ConversationEvent, NumberedEvent } from "../conversation/event.js";
import { type ConversationState, NO_CONVERSATION } from "../conversation/state.js";

/** Maximum number of events, and of UTF-16 units of their JSON, kept for reconnecting clients. */
const MOST_EVENTS = 10_000;
const MOST_UNITS = 4 * 1024 * 1024;

/** A follower's missed events: all after a number, or the whole conversation if some of them are no longer stored. */
export type MissedEvents =
  | { readonly kind: "events"; readonly events: readonly NumberedEvent[] }
  | { readonly kind: "whole"; readonly seq: number; readonly state: ConversationState };

/** The events of one conversation, and the resulting state. */
export interface EventLog {
  append(event: ConversationEvent): void;
  state(): ConversationState;
  since(seq: number): MissedEvents;
}

export interface EventLogOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with every event, once it is applied. */
  readonly onAppend: (numbered: NumberedEvent) => void;
}

export function eventLog({ now, onAppend }: EventLogOptions): EventLog {
  let state = NO_CONVERSATION;
  let seq = 0;
  let units = 0;
  let kept: { readonly numbered: NumberedEvent; readonly size: number }[] = [];

  function bound(): void {
    if (kept.length <= MOST_EVENTS && units <= MOST_UNITS) return;
    // Half of them at once, so that entries are not moved with every event.
    const gone = kept.slice(0, Math.ceil(kept.length / 2));
    kept = kept.slice(gone.length);
    units -= gone.reduce((sum, { size }) => sum + size, 0);
  }

  return {
    append(event) {
      const numbered: NumberedEvent = { seq: ++seq, at_ms: now(), event };
      state = afterEvent(state, numbered);
      const size = JSON.stringify(event).length;
      kept.push({ numbered, size });
      units += size;
      bound();
      onAppend(numbered);
    },
    state: () => state,
    since(from) {
      const first = kept[0]?.numbered.seq ?? seq + 1;
      if (from > seq || from + 1 < first) return { kind: "whole", seq, state };
      return { kind: "events", events: kept.flatMap(({ numbered }) => (numbered.seq > from ? [numbered] : [])) };
    },
  };
}
