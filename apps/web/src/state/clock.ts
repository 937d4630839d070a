import { effect, signal } from "@preact/signals";
import { waitsSince } from "@tmpm/api/standing";
import { nextTick } from "../words/age.js";
import { sessions } from "./sessions.js";

/** A smaller difference may come from the daemon's `Date` header, which has whole seconds, or from a slow network. */
const OFF_MS = 5_000;
/** Clocks that differed agree again below this: with one limit, a difference near it would alternate. */
const AGREES_MS = 2_500;

/** How far the daemon's clock is ahead of this device's, in ms; 0 while they agree. */
let ahead = 0;

/** The time for displayed ages, by the daemon's clock. It pauses while the page is hidden. */
export const now = signal(Date.now());

/** Reads the daemon's time from the `Date` header of a response that has just arrived. */
export function noteDaemonTime(date: string | undefined): void {
  const difference = Date.parse(date ?? "") - Date.now();
  if (Number.isNaN(difference)) return;
  const agrees = ahead !== 0 && Math.abs(difference) < AGREES_MS;
  if (Math.abs(difference - ahead) < OFF_MS && !agrees) return;
  ahead = Math.abs(difference) < OFF_MS ? 0 : difference;
  now.value = daemonNow();
}

function daemonNow(): number {
  return Date.now() + ahead;
}

/** Updates `now` while the page is visible. Returns a function that stops the updates. */
export function startClock(page: Pick<Document, "visibilityState" | "addEventListener"> = document): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    now.value = daemonNow();
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
