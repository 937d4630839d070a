import { othersListed, othersUnlisted } from "../state/others.js";
import { connection } from "../state/sessions.js";
import { followOthers } from "./follow-others.js";
import { tmpm } from "./tmpm.js";
import { wakeable } from "./wakeable.js";

/** Keeps the list of other machines' sessions for the page's lifetime, while the page is visible. */
export function startOthers(): void {
  const sooner = wakeable();
  document.addEventListener("visibilitychange", sooner.wake);
  connection.subscribe((state) => {
    if (state === "live") sooner.wake();
  });
  void followOthers({
    client: tmpm,
    listed: othersListed,
    unlisted: othersUnlisted,
    isWatched: () => document.visibilityState === "visible" && connection.value === "live",
    pause: (ms) => sooner.pause(ms).then(() => true),
  });
}
