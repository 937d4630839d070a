import type { AskedAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";

export interface QuestionWanted {
  readonly session: string;
  /** The question's id or a prefix; without it, the session's own question unless its screen asks something. */
  readonly id: string | undefined;
}

/** The question to answer; null if the answer is for the session's screen. */
export async function questionTarget(
  client: Client,
  { session, id }: QuestionWanted,
): Promise<Pick<AskedAnswer, "id" | "session_id"> | null> {
  const found = await client.show({ session });
  if (id === undefined) return found.decision === null ? (found.question ?? null) : null;
  if (found.decision?.id.startsWith(id) === true) return null;
  const { questions } = await client.inbox({ session: found.id, all: true });
  return questions.find((question) => question.id.startsWith(id)) ?? null;
}
