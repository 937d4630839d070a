import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, flag, none, session } from "./contract.js";
import { EXAMPLE_STOPPED } from "./example-session.js";
import { StopAnswer } from "./life.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

/** What became of the directory that was made for a session. */
export const WorkspaceEnd = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.enum(["kept", "missing"]), path: z.string() }),
  z.object({
    outcome: z.literal("trashed"),
    path: z.string(),
    trash_path: z.string(),
    until: Timestamp.describe("Until then it can be brought back."),
    /** Of a worktree; null for a clone, whose branches went with it. */
    branch: z
      .object({
        name: z.string(),
        outcome: z.enum(["deleted", "kept"]),
        why: z.string().nullable().describe("Why it was kept; null for a deleted one."),
      })
      .nullable(),
    ignored: z.number().int().nonnegative().describe("How many ignored files and folders are in the trash with the rest."),
  }),
]);
export type WorkspaceEnd = z.infer<typeof WorkspaceEnd>;

/** `workspace_end` is null for a session without a workspace of ours, and while processes of it survive. */
export const RemoveAnswer = StopAnswer.extend({ workspace_end: WorkspaceEnd.nullable() });
export type RemoveAnswer = z.infer<typeof RemoveAnswer>;

export const UndoAnswer = SessionAnswer.extend({
  notes: z.array(z.string()).describe("What is not as it was."),
});
export type UndoAnswer = z.infer<typeof UndoAnswer>;

export const WORKSPACE_ROUTES = {
  remove: {
    scope: "operator",
    summary: "Decommissions a session and moves the workspace that was made for it to the trash",
    description: "Never unsaved work, and never a directory that tmpm did not make. `undo` takes it back for some days.",
    params: session,
    query: z.strictObject({
      keep_workspace: flag.optional().describe("Give the workspace up instead of moving it to the trash."),
      keep_running: flag.optional().describe("Let its program go on, unmanaged; its workspace stays too."),
      discard: flag.optional().describe("Move work that is nowhere else to the trash too, instead of refusing."),
    }),
    body: null,
    status: 200,
    answer: RemoveAnswer,
    errors: ["INVALID_STATE", "WORKSPACE_REFUSED", "GIT_FAILED", ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    conditional: true,
    long: true,
    example: {
      params: { session: "demo" },
      answer: { ...EXAMPLE_STOPPED, state: "decommissioned", survivors: [], left_alone: null, workspace_end: null },
    },
  },
  undo: {
    scope: "operator",
    summary: "Takes a removal back",
    description: "Without a session the newest. A branch that a finish moved goes back first, if it was not moved on since.",
    params: none,
    query: none,
    body: z.strictObject({
      session: z.string().min(1).optional(),
      keep_target: z.boolean().optional().describe("Leave the branch that a finish moved where it is."),
    }),
    status: 200,
    answer: UndoAnswer,
    errors: [
      "NOTHING_TO_UNDO",
      "SESSION_NOT_OWNED",
      "INVALID_STATE",
      "WORKSPACE_GONE",
      "TARGET_EXISTS",
      "FINISH_REFUSED",
      "GIT_FAILED",
      ...MAY_FAIL.SESSION,
    ],
    long: true,
    example: { answer: { ...EXAMPLE_STOPPED, notes: [] } },
  },
} as const satisfies Record<string, Contract>;
