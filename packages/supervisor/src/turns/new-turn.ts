import { type SendEntry, TURN_TEXT_LENGTH, Turn, type TurnLane, type UploadEntry } from "@tmpm/core";

export interface NewTurn {
  readonly entry: Pick<SendEntry, "id" | "session_id" | "key" | "digest" | "bytes" | "accepted_at" | "one_at_a_time">;
  readonly text: string;
  /** What the text names. */
  readonly attachments?: readonly UploadEntry[];
  readonly project: string;
  readonly generation: number;
  /** What is open already. */
  readonly lane: TurnLane;
}

/** The turn of a prompt that was accepted, at the end of what waits. */
export function newTurn({ entry, text, attachments = [], project, generation, lane }: NewTurn): Turn {
  const { id, session_id, key, digest, bytes, accepted_at, one_at_a_time } = entry;
  return Turn.parse({
    id,
    session_id,
    project_id: project,
    generation,
    state: "queued",
    one_at_a_time,
    place: Math.max(generation, ...lane.open.map(({ place }) => place + 1)),
    key,
    prompt: text.slice(0, TURN_TEXT_LENGTH),
    prompt_bytes: bytes,
    prompt_digest: digest,
    attachments: attachments.map(({ ref_id, marker, size_bytes }) => ({ ref_id, marker, size_bytes })),
    accepted_at,
  });
}
