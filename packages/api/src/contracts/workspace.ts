import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, flag, none, session } from "./contract.js";
import { EXAMPLE_STOPPED } from "./example-session.js";
import { StopAnswer } from "./life.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

/** The outcome for the directory that was created for a session. */
export const WorkspaceEnd = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.enum(["kept", "missing"]), path: z.string() }),
  z.object({
    outcome: z.literal("trashed"),
    path: z.string(),
    trash_path: z.string(),
    until: Timestamp.describe("It can be restored until then."),
    /** For a worktree; null for a clone, which contained its own branches. */
    branch: z
      .object({
        name: z.string(),
        outcome: z.enum(["deleted", "kept"]),
        why: z.string().nullable().describe("Why it was kept; null if it was deleted."),
      })
      .nullable(),
    ignored: z.number().int().nonnegative().describe("Number of ignored files and folders moved to the trash with the rest."),
  }),
]);
export type WorkspaceEnd = z.infer<typeof WorkspaceEnd>;

/** `workspace_end` is null for a session without a workspace made by tmpm, and while processes of it survive. */
export const RemoveAnswer = StopAnswer.extend({ workspace_end: WorkspaceEnd.nullable() });
export type RemoveAnswer = z.infer<typeof RemoveAnswer>;

export const UndoAnswer = SessionAnswer.extend({
  notes: z.array(z.string()).describe("Remaining differences from the original state."),
});
export type UndoAnswer = z.infer<typeof UndoAnswer>;

export const WORKSPACE_ROUTES = {
  remove: {
    method: "DELETE",
    path: "/v1/sessions/:session",
    scope: "operator",
    summary: "Decommissions a session and moves its workspace to the trash",
    description: "Unsaved work, and directories that tmpm did not make, are never moved. `undo` restores the session for some days.",
    params: session,
    query: z.strictObject({
      keep_workspace: flag.optional().describe("Keep the workspace in place instead of moving it to the trash."),
      keep_running: flag.optional().describe("Keep its program running, unmanaged; its workspace is kept too."),
      discard: flag.optional().describe("Also move work that exists nowhere else to the trash, instead of refusing."),
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
    method: "POST",
    path: "/v1/undo",
    scope: "operator",
    summary: "Undoes a removal",
    description: "By default the newest. A branch moved by a finish is reset first, if it has not moved since.",
    params: none,
    query: none,
    body: z.strictObject({
      session: z.string().min(1).optional(),
      keep_target: z.boolean().optional().describe("Keep the branch where the finish moved it."),
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
