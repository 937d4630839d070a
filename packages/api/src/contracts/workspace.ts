import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, flag, none, session } from "./contract.js";
import { StopAnswer } from "./life.js";
import { SessionAnswer } from "./session.js";

/** What became of the directory that was made for a session. */
export const WorkspaceEnd = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.enum(["kept", "missing"]), path: z.string() }),
  z.object({
    outcome: z.literal("trashed"),
    path: z.string(),
    trash_path: z.string(),
    /** Until then it can be brought back. */
    until: Timestamp,
    /** Of a worktree; null for a clone, whose branches went with it. */
    branch: z
      .object({
        name: z.string(),
        outcome: z.enum(["deleted", "kept"]),
        /** Why it was kept; null for a deleted one. */
        why: z.string().nullable(),
      })
      .nullable(),
    /** How many ignored files and folders are in the trash with the rest. */
    ignored: z.number().int().nonnegative(),
  }),
]);
export type WorkspaceEnd = z.infer<typeof WorkspaceEnd>;

/** `workspace_end` is null for a session without a workspace of ours, and while processes of it survive. */
export const RemoveAnswer = StopAnswer.extend({ workspace_end: WorkspaceEnd.nullable() });
export type RemoveAnswer = z.infer<typeof RemoveAnswer>;

export const UndoAnswer = SessionAnswer.extend({
  /** What is not as it was. */
  notes: z.array(z.string()),
});
export type UndoAnswer = z.infer<typeof UndoAnswer>;

export const WORKSPACE_ROUTES = {
  remove: {
    scope: "operator",
    params: session,
    query: z.strictObject({
      /** Give the workspace up instead of moving it to the trash. */
      keep_workspace: flag.optional(),
      /** Move work that is nowhere else to the trash too, instead of refusing. */
      discard: flag.optional(),
    }),
    body: null,
    status: 200,
    answer: RemoveAnswer,
  },
  undo: {
    scope: "operator",
    params: none,
    query: none,
    /** Without a session the newest removal is taken back. */
    body: z.strictObject({ session: z.string().min(1).optional() }),
    status: 200,
    answer: UndoAnswer,
  },
} as const satisfies Record<string, Contract>;
