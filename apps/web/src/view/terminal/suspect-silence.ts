import { SILENT_MS } from "../../daemon/alive.js";
import { connection } from "../../state/sessions.js";

/**
 * Calls back when a connection that is silent since a time, in ms, may be dead: after the page was disconnected, and when it is visible again, because
 * timers of a hidden page pause. Returns the function that ends it.
 */
export function suspectSilence(suspect: (since: number) => void): () => void {
  let cutAt: number | null = null;
  const unlink = connection.subscribe((now) => {
    if (now === "cut") cutAt ??= Date.now();
    if (now !== "live" || cutAt === null) return;
    suspect(cutAt);
    cutAt = null;
  });
  const look = () => {
    if (document.visibilityState === "visible") suspect(Date.now() - SILENT_MS);
  };
  document.addEventListener("visibilitychange", look);
  return () => {
    unlink();
    document.removeEventListener("visibilitychange", look);
  };
}
