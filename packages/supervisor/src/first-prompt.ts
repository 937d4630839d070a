import type { AgentAdapter } from "@tmpm/agents";
import { hasCode, type Receipt, type SessionRecord } from "@tmpm/core";
import type { Context } from "./context.js";
import { deliver, receipt } from "./deliver.js";
import { look } from "./observe.js";

export interface FirstPrompt {
  readonly record: SessionRecord;
  readonly adapter: AgentAdapter;
  readonly text: string;
  /** The prompt went out in the agent's own argv. */
  readonly carried: boolean;
}

const POLL_MS = 200;
const CARRIED_MS = 45_000;

/** What became of a session's first prompt. A dialog in its way is an outcome, not a failure: the session exists and can be answered. */
export async function firstPrompt(ctx: Context, prompt: FirstPrompt): Promise<Receipt> {
  try {
    return prompt.carried ? await followCarried(ctx, prompt) : await deliver(ctx, { ...prompt, now: false });
  } catch (error) {
    if (hasCode(error, "SESSION_BLOCKED", "SESSION_BUSY", "PANE_IN_MODE", "LINE_TOO_LONG")) {
      return receipt(prompt, "refused", [error.message, ...(error.hint === null ? [] : [error.hint])]);
    }
    throw error;
  }
}

/** A prompt in argv is submitted by the agent itself; a dialog before it holds it until a person answers. */
async function followCarried(ctx: Context, prompt: FirstPrompt): Promise<Receipt> {
  const deadline = ctx.clock.now() + CARRIED_MS;
  let started = false;
  for (;;) {
    const { reading } = await look(ctx, prompt);
    if (reading.state === "working") return receipt(prompt, "submitted", ["the prompt was an argument of the agent", ...reading.evidence]);
    if (reading.state === "blocked" || reading.state === "awaiting_approval") {
      const hint = reading.hint ?? `Answer it with \`tmpm attach ${prompt.record.name}\`.`;
      return receipt(prompt, "held", ["the agent has the prompt and shows a dialog first", ...reading.evidence, hint]);
    }
    if (reading.state === "idle" && reading.draft === "" && started) {
      return receipt(prompt, "submitted", ["the prompt was an argument of the agent, and its input is empty", ...reading.evidence]);
    }
    started = reading.state === "idle";
    if (ctx.clock.now() >= deadline)
      return receipt(prompt, "unconfirmed", ["the prompt was an argument of the agent; nothing showed that it began", ...reading.evidence]);
    await ctx.clock.sleep(POLL_MS);
  }
}
