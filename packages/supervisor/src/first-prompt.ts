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

/** A prompt in argv is submitted by the agent itself; a dialog before it holds it until a person answers. An idle input alone proves nothing: it shows before too. */
async function followCarried(ctx: Context, prompt: FirstPrompt): Promise<Receipt> {
  const deadline = ctx.clock.now() + CARRIED_MS;
  for (;;) {
    const { reading, observation } = await look(ctx, prompt);
    const seen = ["the prompt was an argument of the agent", ...reading.evidence];
    if (reading.state === "working") return receipt(prompt, "submitted", seen);
    if (reading.state === "blocked" || reading.state === "awaiting_approval") {
      const hint = reading.hint ?? `Answer it with \`tmpm attach ${prompt.record.name}\`.`;
      return receipt(prompt, "held", ["the agent shows a dialog first, and has the prompt", ...reading.evidence, hint]);
    }
    if (reading.draft === "" && shows(observation.lines, prompt.text))
      return receipt(prompt, "submitted", [...seen, "the prompt stands above its empty input"]);
    if (ctx.clock.now() >= deadline) return receipt(prompt, "unconfirmed", [...seen, "nothing showed that it began"]);
    await ctx.clock.sleep(POLL_MS);
  }
}

const ENOUGH = 40;

function shows(lines: readonly string[], text: string): boolean {
  const squeeze = (part: string) => part.replace(/\s+/gu, "");
  return squeeze(lines.join("")).includes(squeeze(text).slice(0, ENOUGH));
}
