import type { AskedAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";

export interface QuestionWanted {
  readonly session: string;
  /** The question's id or its beginning; without it, whatever the session asks in its own words while its screen asks nothing. */
  readonly id: string | undefined;
}

/** The question that an answer is meant for; null when it is for what the session's screen shows. */
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
