import { effect, signal } from "@preact/signals";
import { waitsSince } from "@tmpm/api/standing";
import { nextTick } from "../words/age.js";
import { sessions } from "./sessions.js";

/** The time for displayed ages. It pauses while the page is hidden. */
export const now = signal(Date.now());

/** Returns the function that stops it. */
export function startClock(page: Pick<Document, "visibilityState" | "addEventListener"> = document): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    now.value = Date.now();
  };
  page.addEventListener("visibilitychange", tick);
  const stop = effect(() => {
    clearTimeout(timer);
    const since = [...sessions.value.values()].map(waitsSince);
    // Read also while hidden: otherwise the tick of the page's return is not noticed.
    const at = now.value;
    if (page.visibilityState === "hidden") return;
    timer = setTimeout(tick, nextTick(since, at));
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
