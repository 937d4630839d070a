import { effect, signal } from "@preact/signals";
import { waitsSince } from "@tmpm/api/standing";
import { nextTick } from "../words/age.js";
import { sessions } from "./sessions.js";

/** The time for displayed ages. It pauses while the page is hidden. */
export const now = signal(Date.now());

export function startClock(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    now.value = Date.now();
  };
  document.addEventListener("visibilitychange", tick);
  effect(() => {
    clearTimeout(timer);
    const since = [...sessions.value.values()].map(waitsSince);
    if (document.visibilityState === "hidden") return;
    timer = setTimeout(tick, nextTick(since, now.value));
  });
}
