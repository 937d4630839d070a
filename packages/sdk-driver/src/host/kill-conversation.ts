import { hasCode, isTmpmError, type KillReport, type PaneIdentity } from "@tmpm/core";
import { killHeld, type LastWords, NO_WORDS } from "@tmpm/holder";
import { until } from "@tmpm/processes";
import { callHolder } from "./call-holder.js";
import type { HeldConversation, Holders } from "./holders.js";
import { exitOf, screenOf } from "./screen.js";

/** Maximum delay of the report of an agent's end. */
const ENDS_MS = 3_000;
const POLL_MS = 20;

/** Closing an agent's input asks it to end on its own; the remaining processes are then killed. With survivors the holder stays. */
export async function killConversation(
  held: Holders,
  { identity, graceMs }: { readonly identity: PaneIdentity; readonly graceMs: number },
): Promise<KillReport> {
  const one = await heldOrNull(held, identity);
  if (one !== null) await hangUp(one, graceMs);
  return killHeld(identity, { graceMs, words: async () => (one === null ? NO_WORDS : wordsOf(one)) });
}

async function wordsOf(one: HeldConversation): Promise<LastWords> {
  await untilExited(one, ENDS_MS);
  const seen = one.seen();
  return { exit: exitOf(seen.state), lastLines: screenOf(seen, { home: null }).lines };
}

/** Half of the time is reserved for processes that do not end on their own. */
async function hangUp(one: HeldConversation, graceMs: number): Promise<void> {
  if (exitOf(one.seen().state) !== null) return;
  try {
    await callHolder(one.link, { name: "hang_up", args: {} });
  } catch (error) {
    // It is ended even if it does not answer.
    if (!isTmpmError(error)) throw error;
  }
  await untilExited(one, graceMs / 2);
}

async function untilExited(one: HeldConversation, withinMs: number): Promise<void> {
  await until(async () => !one.link.isOpen() || exitOf(one.seen().state) !== null, { withinMs, everyMs: POLL_MS });
}

/** One that is gone, or does not answer, is ended by its stored facts; another in its place is not touched. */
async function heldOrNull(held: Holders, identity: PaneIdentity): Promise<HeldConversation | null> {
  try {
    return await held.of(identity);
  } catch (error) {
    if (hasCode(error, "PANE_GONE", "PANE_FOREIGN", "UNRESPONSIVE")) return null;
    throw error;
  }
}
