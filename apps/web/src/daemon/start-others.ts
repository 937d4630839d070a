import { othersListed } from "../state/others.js";
import { connection } from "../state/sessions.js";
import { followOthers } from "./follow-others.js";
import { tmpm } from "./tmpm.js";

/** Keeps the list of other machines' sessions for the page's lifetime, while the page is visible. */
export function startOthers(): void {
  let wake: () => void = () => undefined;
  document.addEventListener("visibilitychange", () => wake());
  connection.subscribe((state) => {
    if (state === "live") wake();
  });
  void followOthers({
    client: tmpm,
    listed: othersListed,
    isWatched: () => document.visibilityState === "visible" && connection.value === "live",
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(true), ms);
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      }),
  });
}
