import { hasCode, isTmpmError } from "@tmpm/core/errors";
import { tmpm } from "../daemon/tmpm.js";

/** A report is valid for two minutes; a hidden timer may be late. */
const AGAIN_MS = 45_000;

/** Reports to the daemon while this page is in view, so that visible events do not cause notifications; and at once when that ends. */
export function startPresence(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reported = false;
  let useless = false;
  const page = crypto.randomUUID();
  const report = () => {
    clearTimeout(timer);
    const looking = document.visibilityState === "visible" && document.hasFocus();
    if (useless || (!looking && !reported)) return;
    reported = looking;
    tmpm.reportPresence({ visible: document.visibilityState === "visible", focused: document.hasFocus(), page }).catch((error: unknown) => {
      if (!isTmpmError(error)) throw error;
      // A client with a token is not a device and cannot be notified.
      useless = hasCode(error, "INVALID_STATE", "SCOPE_REFUSED");
    });
    if (looking) timer = setTimeout(report, AGAIN_MS);
  };
  addEventListener("focus", report);
  addEventListener("blur", report);
  document.addEventListener("visibilitychange", report);
  report();
}
