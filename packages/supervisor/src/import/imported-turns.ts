import { createHash } from "node:crypto";
import { type SessionRecord, TURN_TEXT_LENGTH, Turn } from "@tmpm/core";
import type { Exchange } from "@tmpm/core/compat/zeroclaw";
import { derivedId } from "./derived-id.js";

export interface Conversation {
  readonly exchanges?: readonly Exchange[];
  /** Tokens of the whole conversation. */
  readonly tokens?: number | null;
}

/** An imported conversation as ended turns. The same exchanges have the same ids. */
export function importedTurns({ id, project_id }: SessionRecord, { exchanges = [], tokens }: Conversation): readonly Turn[] {
  const idOf = derivedId("turn");
  return exchanges.map(({ id: message, prompt, prompted_at, reply, replied_at }, index) =>
    Turn.parse({
      id: idOf(`${id}/${message}`),
      session_id: id,
      project_id,
      generation: index + 1,
      place: index + 1,
      state: "ended",
      one_at_a_time: false,
      key: null,
      prompt: prompt.slice(0, TURN_TEXT_LENGTH),
      prompt_bytes: Buffer.byteLength(prompt),
      prompt_digest: createHash("sha256").update(prompt).digest("hex"),
      accepted_at: prompted_at,
      started_at: prompted_at,
      ended_at: replied_at ?? prompted_at,
      outcome: "completed",
      reason: "imported",
      final_message: reply?.slice(0, TURN_TEXT_LENGTH) ?? null,
      tokens: index === exchanges.length - 1 ? (tokens ?? null) : null,
    }),
  );
}
