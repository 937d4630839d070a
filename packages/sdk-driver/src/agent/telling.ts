import type { ConversationEvent } from "../conversation/event.js";
import type { ConversationState } from "../conversation/state.js";

/** Where what happens is told, and what has been reported so far makes of the conversation. */
export interface Telling {
  readonly tell: (event: ConversationEvent) => void;
  readonly state: () => ConversationState;
}

/** The same, and one can wait for what is reported next. */
export interface Heard extends Telling {
  next(): Promise<void>;
}

export function heard({ tell, state }: Telling): Heard {
  let waiting: (() => void)[] = [];
  return {
    state,
    tell(event) {
      tell(event);
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
