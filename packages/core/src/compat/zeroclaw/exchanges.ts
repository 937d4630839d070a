import type { Timestamp } from "../../time/timestamp.js";
import type { ZeroclawMessage, ZeroclawSession } from "./session.js";

/** A prompt and its reply. `reply` is null when the agent wrote nothing before the next prompt. */
export interface Exchange {
  /** The id of the prompt's message in its database. */
  readonly id: number;
  readonly prompt: string;
  readonly prompted_at: Timestamp;
  readonly reply: string | null;
  readonly replied_at: Timestamp | null;
}

/** Messages of other roles and those before the first prompt belong to no exchange. */
export function exchangesOf({ messages }: ZeroclawSession): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages.toSorted((a, b) => a.id - b.id)) {
    const last = exchanges.at(-1);
    if (message.role === "user") exchanges.push(asked(message));
    else if (message.role === "assistant" && last !== undefined && message.content !== "")
      exchanges[exchanges.length - 1] = { ...last, reply: message.content, replied_at: message.created_at };
  }
  return exchanges;
}

function asked({ id, content, created_at }: ZeroclawMessage): Exchange {
  return { id, prompt: content, prompted_at: created_at, reply: null, replied_at: null };
}
