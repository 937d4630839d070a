import { TmpmError } from "@tmpm/core";
import * as z from "zod";
import { cursor, next, sessionId, TurnRow } from "../schemas.js";
import { page } from "../shown.js";
import { READS, tool } from "../tool.js";

const MOST = 7_000;

export const getResult = tool({
  name: "get_result",
  title: "Get the result of a turn",
  description:
    "A turn's outcome and the agent's final message; by default of the newest turn. `turn` is null if the session had none. Long texts are paged.",
  needs: "read",
  hints: READS,
  input: z.strictObject({
    session: sessionId,
    turn: z.string().min(1).max(200).optional().describe("A turn's id, or the idempotency key of its prompt."),
    cursor,
  }),
  output: z.object({ turn: TurnRow.nullable(), final_message: z.string().nullable(), note: z.string().nullable(), next }),
  async run({ session, turn: wanted, cursor: from }, { client }) {
    const turn =
      wanted === undefined ? (await client.turns({ session, limit: 1 })).turns.at(-1) : await client.turn({ session, turn: wanted });
    if (turn === undefined) {
      if (from === undefined) return { turn: null, final_message: null, note: null, next: null };
      throw new TmpmError("INVALID_ARGUMENT", "the cursor does not belong to any turn");
    }
    const part = page(turn.final_message ?? "", { cursor: from, most: MOST });
    return {
      turn: TurnRow.parse(turn),
      final_message: turn.final_message === null ? null : part.text,
      note: turn.note,
      next: part.next,
    };
  },
});
