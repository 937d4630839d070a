import type { ConversationEvent } from "../conversation/event.js";
import type { ConversationState } from "../conversation/state.js";

/** Where events are reported, and the state that they have made of the conversation. */
export interface Reporting {
  readonly report: (event: ConversationEvent) => void;
  readonly state: () => ConversationState;
}

/** The same, and one can wait for what is reported next. */
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
