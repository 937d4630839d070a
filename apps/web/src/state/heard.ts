import type { EventAnswer } from "@tmpm/api";

type Listener = (event: EventAnswer) => void;
const listeners = new Set<Listener>();

/** Tells everybody on the page who waits for what happens to a session. */
export function heard(event: EventAnswer): void {
  for (const listener of listeners) listener(event);
}

/** Calls for every event until the answer is called. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
