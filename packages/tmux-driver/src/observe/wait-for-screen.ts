import { type PaneIdentity, TmpmError } from "@tmpm/core";
import type { Screen, TmuxDriver } from "../driver.js";

export interface WaitOptions {
  /** Called with the current screen, and again whenever the pane has printed. */
  readonly until: (screen: Screen) => boolean;
  readonly withinMs: number;
}

/**
 * The first matching screen, checked only when the pane prints. @throws TIMEOUT; PANE_DEAD or PANE_GONE when the program ends without it;
 * errors of `TmuxDriver.output` and `capture`
 */
export async function waitForScreen(
  driver: Pick<TmuxDriver, "output" | "capture">,
  identity: PaneIdentity,
  options: WaitOptions,
): Promise<Screen> {
  const { until, withinMs } = options;
  let outcome: Screen | "ended" | "late" = "late";
  const stop = new AbortController();
  const subscription = await driver.output(identity, async (event) => {
    const screen = "screen" in event ? event.screen : event.type === "chunk" ? await driver.capture(identity) : null;
    if (screen !== null && until(screen)) outcome = screen;
    else if (event.type === "exited" || event.type === "closed") outcome = "ended";
    if (outcome !== "late") stop.abort();
  });
  if (stop.signal.aborted) subscription.close();
  stop.signal.addEventListener("abort", () => subscription.close());
  const timer = setTimeout(() => stop.abort(), withinMs);
  await subscription.done.finally(() => clearTimeout(timer));
  return screenOf(outcome, { identity, withinMs });
}

function screenOf(
  outcome: Screen | "ended" | "late",
  { identity, withinMs }: { readonly identity: PaneIdentity; readonly withinMs: number },
) {
  const details = { pane_id: identity.pane_id };
  if (outcome === "late") throw new TmpmError("TIMEOUT", `pane ${identity.pane_id} did not match within ${withinMs} ms`, { details });
  if (outcome === "ended")
    throw new TmpmError("PANE_DEAD", `the program in pane ${identity.pane_id} ended before it showed it`, { details });
  return outcome;
}
