import { ReviewComment } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, flag, none, repeated, session } from "./contract.js";
import { EXAMPLE_STOPPED } from "./example-session.js";
import { EXAMPLE_PLAN, FinishAnswer, FinishBody } from "./finish.js";
import { MAY_FAIL } from "./may-fail.js";
import { next } from "./paging.js";
import { SessionAnswer } from "./session.js";

const lines = z.number().int().nonnegative();
const mode = z.string().nullable();

export const ChangedFile = z.object({
  path: z.string().describe("Relative to the top of the work tree. Bytes that are not UTF-8 are U+FFFD."),
  path_bytes: z.string().nullable().describe("The name's bytes in base64; null if `path` is exact."),
  from: z.string().nullable().describe("Former path of a renamed file."),
  status: z.enum(["added", "deleted", "modified", "renamed", "type_changed"]),
  old_mode: mode.describe("Octal, such as `100755`; null for an added file."),
  new_mode: mode.describe("Likewise after the change; null for a deleted file."),
  binary: z.boolean(),
  submodule: z.boolean(),
  added: lines.nullable().describe("Lines; null for a binary file."),
  removed: lines.nullable(),
  patch: z
    .string()
    .nullable()
    .describe(
      "As `git diff` prints it; null with `stat`, when it is too large, and with `exact` if it has bytes that are not UTF-8. Without `exact`, these are U+FFFD.",
    ),
  patch_bytes: z.string().nullable().describe("The patch's bytes in base64; null if `patch` is exact."),
  too_large: z.boolean().describe("Whether the file is too large to show its patch."),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const DiffAnswer = z.object({
  session_id: z.string(),
  session: z.string().describe("Its name."),
  top: z.string().describe("Top directory of the work tree."),
  base: z.object({
    commit: z.string().nullable().describe("Null if the repository had no commit, so that everything is new."),
    ref: z.string().nullable(),
    found: z
      .enum(["fork_point", "merge_base", "asked", "head", "turn"])
      .describe(
        "`merge_base` once the work contains a newer commit of its base's ref, `asked` with `base`, `head` when the fork point is unknown, `turn` for the work tree at the start of the turn.",
      ),
  }),
  turn: z.string().nullable().describe("Id of the turn that made these changes; null for all changes."),
  head: z.object({ branch: z.string().nullable(), commit: z.string().nullable() }),
  total: z.object({ files: lines, added: lines, removed: lines }).describe("Of all pages."),
  files: z.array(ChangedFile),
  next,
  version: z
    .string()
    .optional()
    .describe("Differs between two pages if the work tree changed in between. Absent if one page has everything."),
  notes: z.array(z.string()).describe("Files and folders that could not be read."),
});
export type DiffAnswer = z.infer<typeof DiffAnswer>;

const EXAMPLE_FILE: ChangedFile = {
  path: "src/login.ts",
  path_bytes: null,
  from: null,
  status: "modified",
  old_mode: "100644",
  new_mode: "100644",
  binary: false,
  submodule: false,
  added: 1,
  removed: 1,
  patch: "diff --git a/src/login.ts b/src/login.ts\n--- a/src/login.ts\n+++ b/src/login.ts\n@@ -1 +1 @@\n-let tries = 3\n+let tries = 5\n",
  patch_bytes: null,
  too_large: false,
};

const EXAMPLE_DIFF: DiffAnswer = {
  session_id: "8f14e45f-ceea-467f-a9d0-1c2b3d4e5f60",
  session: "demo",
  top: "/home/me/.tmpm/workspaces/default/demo-8f14e45f",
  base: { commit: "9fceb02d0ae598e95dc970b74767f19372d61af8", ref: "refs/heads/main", found: "fork_point" },
  turn: null,
  head: { branch: "tmpm/demo", commit: "9fceb02d0ae598e95dc970b74767f19372d61af8" },
  total: { files: 1, added: 1, removed: 1 },
  files: [EXAMPLE_FILE],
  next: null,
  notes: [],
};

export const CommentsAnswer = z.object({
  session_id: z.string(),
  session: z.string().describe("Its name."),
  comments: z.array(
    ReviewComment.extend({ line: z.number().int().positive().nullable().describe("Current line; null if the line no longer exists.") }),
  ),
});
export type CommentsAnswer = z.infer<typeof CommentsAnswer>;

const EXAMPLE_COMMENTS: CommentsAnswer = {
  session_id: "8f14e45f-ceea-467f-a9d0-1c2b3d4e5f60",
  session: "demo",
  comments: [
    {
      id: "5b1e0c4e",
      anchor: {
        path: "src/login.ts",
        side: "new",
        line: 12,
        blob: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        text: "let tries = 5",
        before: [],
        after: [],
      },
      comment: "Use a constant here",
      at: "2026-01-02T03:04:05Z",
      sent: null,
      line: 14,
    },
  ],
};

export const REVIEW_ROUTES = {
  diff: {
    method: "GET",
    path: "/v1/sessions/:session/diff",
    scope: "observer",
    acting: "read",
    summary: "What a session changed since its fork point",
    description:
      "Includes committed, uncommitted and untracked changes, without ignored files. Writes nothing to the repository and runs no program from its configuration. See `docs/review.md`.",
    params: session,
    query: z.strictObject({
      path: repeated(z.string().min(1).max(4096)).describe("Only these files and folders, relative to the top of the work tree."),
      stat: flag.optional().describe("Leave out the patches."),
      exact: flag
        .optional()
        .describe(
          "Patches that `git apply` accepts: with the content of binary files, and for files of up to 16 MiB instead of 2 MiB, before and after together.",
        ),
      base: z.string().min(1).max(1000).optional().describe("Revision to compare with instead of the fork point."),
      turn: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe("Only changes of this turn: its id, a prefix of it or its key; `last` for the newest."),
      limit: count(1, 1000).optional().describe("Maximum number of files; 300 by default, fewer if they are large."),
      cursor: z.string().min(1).max(16_000).optional().describe("`next` of the previous page, with the same paths."),
    }),
    body: null,
    status: 200,
    answer: DiffAnswer,
    errors: ["DIRECTORY_NOT_FOUND", "REPOSITORY_NOT_FOUND", "TURN_NOT_FOUND", "GIT_FAILED", "PREREQUISITE_MISSING"],
    example: { params: { session: "demo" }, answer: EXAMPLE_DIFF },
  },
  comment: {
    method: "POST",
    path: "/v1/sessions/:session/comments",
    scope: "operator",
    summary: "Comments on a line of a session's changes",
    description: "The comment follows its line. `send` with `comments` sends all open ones as one prompt.",
    params: session,
    query: none,
    body: z.strictObject({
      path: z.string().min(1).max(4096).describe("Relative to the top of the work tree."),
      line: z.number().int().min(1).max(999_999_999),
      side: z.enum(["new", "old"]).optional().describe("`old` for the file at the fork point."),
      text: z.string().max(16_384).optional().describe("The line's text as shown: no comment is added if the line has changed since."),
      comment: z.string().min(1).max(16_384),
    }),
    status: 201,
    answer: CommentsAnswer,
    errors: ["FILE_NOT_FOUND", "REPOSITORY_NOT_FOUND", "GIT_FAILED", "PREREQUISITE_MISSING"],
    example: {
      params: { session: "demo" },
      body: { path: "src/login.ts", line: 12, comment: "Use a constant here" },
      answer: EXAMPLE_COMMENTS,
    },
  },
  comments: {
    method: "GET",
    path: "/v1/sessions/:session/comments",
    scope: "observer",
    summary: "The comments on a session's changes, oldest first, with their current lines",
    params: session,
    query: none,
    body: null,
    status: 200,
    answer: CommentsAnswer,
    errors: [],
    example: { params: { session: "demo" }, answer: EXAMPLE_COMMENTS },
  },
  dropComment: {
    method: "DELETE",
    path: "/v1/sessions/:session/comments/:comment",
    scope: "operator",
    summary: "Removes comments, and returns the removed ones",
    params: session.extend({ comment: z.string().min(1).describe("Its id, `sent` for those that were sent, or `all`.") }),
    query: none,
    body: null,
    status: 200,
    answer: CommentsAnswer,
    errors: ["COMMENT_NOT_FOUND"],
    example: { params: { session: "demo", comment: "5b1e0c4e" }, answer: EXAMPLE_COMMENTS },
  },
  setUpAgain: {
    method: "POST",
    path: "/v1/sessions/:session/setup",
    scope: "operator",
    summary: "Runs the project file's workspace set-up again",
    description:
      "Existing files are kept, and the session keeps running. A failure is `SETUP_FAILED`, and leaves the workspace as it was at the failure.",
    params: session,
    query: none,
    body: z.strictObject({ consent: z.boolean().optional().describe("Consent to the repository's current `.tmpm.yaml`.") }),
    status: 200,
    answer: SessionAnswer,
    errors: ["INVALID_STATE", "SETUP_FAILED"],
    long: true,
    example: { params: { session: "demo" }, answer: EXAMPLE_STOPPED },
  },
  finish: {
    method: "POST",
    path: "/v1/sessions/:session/finish",
    scope: "operator",
    summary: "Merges a session's work into a branch and ends the session, or opens a pull request",
    description:
      "Computed outside every checkout. The branch moves only from the commit that was read, its checkout only if clean, and the workspace goes to the trash only once the branch contains the work. `undo` reverts all of it. See `docs/review.md`.",
    params: session,
    query: none,
    body: FinishBody,
    status: 200,
    answer: FinishAnswer,
    errors: [
      "FINISH_REFUSED",
      "INVALID_STATE",
      "WORKSPACE_REFUSED",
      "SURVIVORS",
      "DIRECTORY_NOT_FOUND",
      "REPOSITORY_NOT_FOUND",
      "GIT_FAILED",
      "FORGE_FAILED",
      "UNSAFE_PATH",
      "PREREQUISITE_MISSING",
      ...MAY_FAIL.PANE,
      ...MAY_FAIL.TMUX,
    ],
    conditional: true,
    long: true,
    example: {
      params: { session: "demo" },
      body: { how: "squash", dry_run: true },
      answer: { ...EXAMPLE_STOPPED, dry_run: true, plan: EXAMPLE_PLAN, pull_request: null, result: null, workspace_end: null, notes: [] },
    },
  },
} as const satisfies Record<string, Contract>;
