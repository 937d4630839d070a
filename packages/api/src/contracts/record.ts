import { GrantWish, Slug } from "@tmpm/core";
import * as z from "zod";
import { BudgetBody } from "./budget.js";
import { type Contract, none, project, session } from "./contract.js";
import { EXAMPLE_SESSION, EXAMPLE_STOPPED } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

export const RenameAnswer = SessionAnswer.extend({
  left_alone: z.string().nullable().describe("Why the tmux session was not renamed; null if it was."),
});
export type RenameAnswer = z.infer<typeof RenameAnswer>;

/** Null or an empty string removes a value; omitted fields are kept. */
export const SetBody = z.strictObject({
  task: z.string().optional(),
  issue_id: z.string().nullable().optional(),
  duplicate_issue: z.boolean().optional().describe("Allow another unfinished session of the project on the same issue."),
  issue_url: z.string().nullable().optional(),
  claimed_pr_number: z.number().int().positive().nullable().optional(),
  claimed_pr_url: z.string().nullable().optional(),
  deliverable_id: z.string().nullable().optional().describe("Id of its deliverable in the planning system."),
  budget: BudgetBody.optional().describe(
    "What it may use before its queue is held. Null removes a limit; omitted limits are kept. See `docs/usage.md`.",
  ),
  lineage_budget: BudgetBody.optional().describe("What it and its descendants may use together; likewise."),
  notify: z.enum(["on", "off"]).nullable().optional().describe("Notifications of the session; null for the default."),
  grant: GrantWish.optional().describe("What it may do to other sessions with its own token; `docs/mcp.md` explains the format."),
  cwd: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("Absolute working directory from its next launch on. For a worktree whose repository was moved: the new location."),
  project_id: project.optional().describe("Moves the session to this project: its id, or the absolute path of a registered one."),
});
export type SetBody = z.input<typeof SetBody>;

export const DeleteAnswer = SessionAnswer.extend({
  purged: z.boolean().describe("Whether its record was removed; otherwise it is kept as deleted."),
});
export type DeleteAnswer = z.infer<typeof DeleteAnswer>;

const common = { scope: "operator", params: session, query: none, status: 200, conditional: true } as const;

/** Routes that change a session's record only, not the running program, except for the name of its tmux session. */
export const RECORD_ROUTES = {
  rename: {
    method: "POST",
    path: "/v1/sessions/:session/rename",
    ...common,
    summary: "Renames a session",
    body: z.strictObject({ name: Slug }),
    answer: RenameAnswer,
    errors: ["RIGHTS_EXCEEDED", "INVALID_STATE", "NAME_TAKEN", ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: {
      params: { session: "demo" },
      body: { name: "api" },
      answer: { ...EXAMPLE_SESSION, name: "api", tmux_name: "tmpm-api", left_alone: null },
    },
  },
  set: {
    method: "POST",
    path: "/v1/sessions/:session/set",
    ...common,
    summary: "Sets a session's notes and metadata",
    description: "Null or an empty string removes a value; omitted fields are kept.",
    body: SetBody,
    answer: SessionAnswer,
    errors: [
      "INVALID_STATE",
      "ISSUE_TAKEN",
      "INVALID_TEXT",
      "PROJECT_NOT_FOUND",
      "DIRECTORY_NOT_FOUND",
      "REPOSITORY_NOT_FOUND",
      "GIT_FAILED",
    ],
    example: {
      params: { session: "demo" },
      body: { task: "fix the login", issue_id: "42" },
      answer: { ...EXAMPLE_SESSION, rev: 4, task: "fix the login", issue_id: "42" },
    },
  },
  markErrored: {
    method: "POST",
    path: "/v1/sessions/:session/mark-errored",
    ...common,
    summary: "Marks a session as failed",
    body: z.strictObject({ message: z.string() }),
    answer: SessionAnswer,
    errors: ["INVALID_STATE", "INVALID_TEXT"],
    example: {
      params: { session: "demo" },
      body: { message: "the build is broken" },
      answer: {
        ...EXAMPLE_STOPPED,
        state: "errored",
        last_error: { code: "MARKED_ERRORED", message: "the build is broken", at: "2026-01-02T03:04:05Z" },
      },
    },
  },
  archive: {
    method: "POST",
    path: "/v1/sessions/:session/archive",
    ...common,
    summary: "Archives a session that is not running",
    body: none,
    answer: SessionAnswer,
    errors: ["INVALID_STATE"],
    example: { params: { session: "demo" }, answer: EXAMPLE_STOPPED },
  },
  reactivate: {
    method: "POST",
    path: "/v1/sessions/:session/reactivate",
    ...common,
    summary: "Reopens a finished session, or unarchives an archived one",
    body: z.strictObject({ name: Slug.optional() }),
    answer: SessionAnswer,
    errors: ["INVALID_STATE", "NAME_TAKEN"],
    example: { params: { session: "demo" }, answer: EXAMPLE_STOPPED },
  },
  delete: {
    method: "POST",
    path: "/v1/sessions/:session/delete",
    ...common,
    summary: "Deletes the record of a session that is not running",
    body: z.strictObject({ purge: z.boolean().optional() }),
    answer: DeleteAnswer,
    errors: ["INVALID_STATE", "WORKSPACE_REFUSED", "GIT_FAILED", ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: { params: { session: "demo" }, answer: { ...EXAMPLE_STOPPED, state: "deleted", purged: false } },
  },
} as const satisfies Record<string, Contract>;
