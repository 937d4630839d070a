import type { ConversationEvent } from "../conversation/event.js";
import type { ConversationState } from "../conversation/state.js";

/** Receives events, and has the state that results from them. */
export interface Reporting {
  readonly report: (event: ConversationEvent) => void;
  readonly state: () => ConversationState;
}

/** The same, with a way to wait for the next event. */
export interface Heard extends Reporting {
  next(): Promise<void>;
}

export function heard({ report, state }: Reporting): Heard {
  let waiting: (() => void)[] = [];
  return {
    state,
    report(event) {
      report(event);
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
