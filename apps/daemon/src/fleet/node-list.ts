import type { SessionList } from "@tmpm/api";
import * as z from "zod";

/** The parts on which a list of all machines depends; the rest of a session is as its node's version writes it, and is not copied. */
const NodeList = z.object({
  sessions: z.array(
    z.object({
      ...{ id: z.string(), name: z.string(), state: z.string(), project_id: z.string() },
      activity: z.object({ state: z.string(), evidence: z.array(z.string()) }),
    }),
  ),
  problems: z.array(z.object({ id: z.string() })),
  store: z.object({ state: z.string(), message: z.string().nullable() }),
});

/** @throws ZodError for a response that is not a list */
export function nodeList(answer: SessionList): SessionList {
  NodeList.parse(answer);
  return answer;
}
