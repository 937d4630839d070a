import { ChangedFile, DiffAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError, TmpmError } from "@tmpm/core";
import * as z from "zod";
import { cursor, next, sessionId, TurnRow } from "../schemas.js";
import { fitting, page } from "../shown.js";
import { READS, tool } from "../tool.js";

const MOST = 6_000;
const MOST_FILES = 2_000;
const FILES = 50;
/** The message is returned without the changes if comparing takes longer. */
const COMPARE_MS = 10_000;

const Changes = z.object({
  total: DiffAnswer.shape.total,
  files: z
    .array(ChangedFile.pick({ path: true, status: true, added: true, removed: true }))
    .describe("The first of `total.files`; `get_diff` pages through all of the session."),
});
type Changes = z.infer<typeof Changes>;

export const getResult = tool({
  name: "get_result",
  title: "Get the result of a turn",
  description:
    "A turn's outcome, the agent's final message, and the files that changed during the turn; by default of the newest turn. `turn` is null if the session had none. Long messages are paged.",
  needs: "read",
  hints: READS,
  input: z.strictObject({
    session: sessionId,
    turn: z.string().min(1).max(200).optional().describe("A turn's id, or the idempotency key of its prompt."),
    cursor,
  }),
  output: z.object({
    turn: TurnRow.nullable(),
    final_message: z.string().nullable(),
    note: z.string().nullable(),
    changes: Changes.nullable().describe("Null on later pages, and when the changes are unknown, as outside a git repository."),
    next,
  }),
  async run({ session, turn: wanted, cursor: from }, { client, signal }) {
    const turn =
      wanted === undefined ? (await client.turns({ session, limit: 1 })).turns.at(-1) : await client.turn({ session, turn: wanted });
    if (turn === undefined) {
      if (from === undefined) return { turn: null, final_message: null, note: null, changes: null, next: null };
      throw new TmpmError("INVALID_ARGUMENT", "the cursor does not belong to any turn");
    }
    const part = page(turn.final_message ?? "", { cursor: from, most: MOST });
    return {
      turn: TurnRow.parse(turn),
      final_message: turn.final_message === null ? null : part.text,
      note: turn.note,
      changes: from === undefined ? await changesIn(client, { turn: { session, turn: turn.id }, signal }) : null,
      next: part.next,
    };
  },
});

interface Compared {
  readonly turn: { readonly session: string; readonly turn: string };
  readonly signal: AbortSignal;
}

async function changesIn(client: Client, { turn, signal }: Compared): Promise<Changes | null> {
  try {
    const { total, files } = await client.diff({ ...turn, stat: true, limit: FILES }, { signal, timeoutMs: COMPARE_MS });
    return {
      total,
      files: [
        ...fitting(
          files.map((file) => Changes.shape.files.element.parse(file)),
          MOST_FILES,
        ),
      ],
    };
  } catch (error) {
    if (isTmpmError(error) && !signal.aborted) return null;
    throw error;
  }
}
