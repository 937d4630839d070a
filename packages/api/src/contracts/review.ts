import * as z from "zod";
import { type Contract, count, flag, repeated, session } from "./contract.js";
import { next } from "./paging.js";

const lines = z.number().int().nonnegative();
const mode = z.string().nullable();

export const ChangedFile = z.object({
  path: z.string().describe("From the top of the work tree. Bytes that are not UTF-8 are U+FFFD."),
  path_bytes: z.string().nullable().describe("The name's bytes in base64; null when `path` says them all."),
  from: z.string().nullable().describe("What a renamed file was called."),
  status: z.enum(["added", "deleted", "modified", "renamed", "type_changed"]),
  old_mode: mode.describe("Octal, such as `100755`; null for an added file."),
  new_mode: mode.describe("The same now; null for a deleted file."),
  binary: z.boolean(),
  submodule: z.boolean(),
  added: lines.nullable().describe("Lines; null for a binary file."),
  removed: lines.nullable(),
  patch: z.string().nullable().describe("As `git diff` prints it; null with `stat`, and when it is too large."),
  too_large: z.boolean().describe("The file is too large for its patch to be shown."),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const DiffAnswer = z.object({
  session_id: z.string(),
  session: z.string().describe("Its name."),
  top: z.string().describe("The work tree's top directory."),
  base: z.object({
    commit: z.string().nullable().describe("Null when everything is new, in a repository that had no commit."),
    ref: z.string().nullable(),
    found: z
      .enum(["fork_point", "merge_base", "asked", "head"])
      .describe(
        "`merge_base` once the work contains a newer commit of its base's ref, `asked` with `base`, `head` when no fork point is known.",
      ),
  }),
  head: z.object({ branch: z.string().nullable(), commit: z.string().nullable() }),
  total: z.object({ files: lines, added: lines, removed: lines }).describe("Of all pages."),
  files: z.array(ChangedFile),
  next,
  notes: z.array(z.string()).describe("What could not be read."),
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
  too_large: false,
};

const EXAMPLE_DIFF: DiffAnswer = {
  session_id: "8f14e45f-ceea-467f-a9d0-1c2b3d4e5f60",
  session: "demo",
  top: "/home/me/.tmpm/workspaces/default/demo-8f14e45f",
  base: { commit: "9fceb02d0ae598e95dc970b74767f19372d61af8", ref: "refs/heads/main", found: "fork_point" },
  head: { branch: "tmpm/demo", commit: "9fceb02d0ae598e95dc970b74767f19372d61af8" },
  total: { files: 1, added: 1, removed: 1 },
  files: [EXAMPLE_FILE],
  next: null,
  notes: [],
};

export const REVIEW_ROUTES = {
  diff: {
    scope: "observer",
    summary: "What a session changed since its fork point",
    description:
      "Committed, uncommitted and untracked alike, without what git ignores. Nothing in the repository is written and no program of its configuration is run. See `docs/review.md`.",
    params: session,
    query: z.strictObject({
      path: repeated(z.string().min(1).max(4096)).describe("Only these files and folders, from the top of the work tree."),
      stat: flag.optional().describe("Leave out the patches."),
      base: z.string().min(1).max(1000).optional().describe("A revision to compare with instead of the fork point."),
      limit: count(1, 1000).optional().describe("At most so many files; 300 without it, and fewer when they are large."),
      cursor: z.string().min(1).max(16_000).optional().describe("`next` of the page before, with the same paths."),
    }),
    body: null,
    status: 200,
    answer: DiffAnswer,
    errors: ["DIRECTORY_NOT_FOUND", "REPOSITORY_NOT_FOUND", "GIT_FAILED", "PREREQUISITE_MISSING"],
    example: { params: { session: "demo" }, answer: EXAMPLE_DIFF },
  },
} as const satisfies Record<string, Contract>;
