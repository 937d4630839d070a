import { type SendEntry, TURN_TEXT_LENGTH, Turn, type TurnLane, type UploadEntry, waitingTurns } from "@tmpm/core";

export interface NewTurn {
  readonly entry: Pick<SendEntry, "id" | "session_id" | "key" | "digest" | "bytes" | "accepted_at" | "one_at_a_time" | "now" | "interrupt">;
  readonly text: string;
  /** The attachments that the text names. */
  readonly attachments?: readonly UploadEntry[];
  readonly project: string;
  readonly generation: number;
  /** The open turns. */
  readonly lane: TurnLane;
}

/** The turn of an accepted prompt: after the waiting ones, or before them when it is to be typed in any case. */
export function newTurn({ entry, text, attachments = [], project, generation, lane }: NewTurn): Turn {
  const { id, session_id, key, digest, bytes, accepted_at, one_at_a_time } = entry;
  return Turn.parse({
    id,
    session_id,
    project_id: project,
    generation,
    state: "queued",
    one_at_a_time,
    place: placeOf({ entry, generation, lane }),
    key,
    prompt: text.slice(0, TURN_TEXT_LENGTH),
    prompt_bytes: bytes,
    prompt_digest: digest,
    attachments: attachments.map(({ ref_id, marker, size_bytes }) => ({ ref_id, marker, size_bytes })),
    accepted_at,
  });
}

function placeOf({ entry, generation, lane }: Pick<NewTurn, "entry" | "generation" | "lane">): number {
  const places = waitingTurns(lane).map(({ place }) => place);
  if (entry.now || entry.interrupt) return Math.min(generation, ...places.map((place) => place - 1));
  return Math.max(generation, ...places.map((place) => place + 1));
}
