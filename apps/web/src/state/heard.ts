import type { EventAnswer } from "@tmpm/api";

type Listener = (event: EventAnswer) => void;
const listeners = new Set<Listener>();

/** Notifies the page's listeners of session events. */
export function heard(event: EventAnswer): void {
  for (const listener of listeners) listener(event);
}

/** Calls back for every event until the returned function is called. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
