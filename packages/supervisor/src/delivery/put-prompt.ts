import { hasCode, isTmpmError, type SessionRecord } from "@tmpm/core";
import type { Conversation, Prompted } from "@tmpm/host";
import type { Context } from "../context.js";
import { paneOf } from "../observe/observe.js";
import { UNANSWERED } from "../unanswered.js";
import { unconfirmed, type Verdict } from "./receipt.js";
import type { Running } from "./running.js";

interface Putting {
  readonly running: Running;
  readonly record: SessionRecord;
  readonly conversation: Conversation;
}

/**
 * Sends a text to a protocol agent; the protocol's response is the evidence. @throws with effect none when the agent certainly has not got
 * it
 */
export async function putPrompt(
  ctx: Pick<Context, "reached">,
  { running, record, conversation, text }: Putting & { readonly text: string },
): Promise<Verdict> {
  try {
    const prompted = await conversation.prompt(paneOf(record), { key: running.id, text });
    await ctx.reached("send.confirmed");
    return verdictOfPrompt(prompted);
  } catch (error) {
    if (!isTmpmError(error) || error.effect === "none") throw error;
    return unconfirmed(hasCode(error, ...UNANSWERED) ? "tmux_unanswered" : "failed", error.message);
  }
}

/** The outcome of a text that a daemon was sending when it ended. */
export async function promptedBefore({ running, record, conversation }: Putting): Promise<Verdict> {
  const prompted = await conversation.prompted(paneOf(record), running.id);
  if (prompted !== null) return verdictOfPrompt(prompted);
  return { outcome: "refused", reason: "interrupted", evidence: ["it was not given to the agent"] };
}

function verdictOfPrompt(prompted: Prompted): Verdict {
  switch (prompted.kind) {
    case "taken":
      return { outcome: "submitted", reason: "protocol", evidence: prompted.evidence };
    case "refused":
      return { outcome: "refused", reason: "failed", evidence: [prompted.reason] };
    case "unknown":
      return unconfirmed("nothing_seen", prompted.reason);
  }
}
