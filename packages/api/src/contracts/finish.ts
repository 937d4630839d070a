import { Finished } from "@tmpm/core";
import * as z from "zod";
import { SessionAnswer } from "./session.js";
import { WorkspaceEnd } from "./workspace.js";

const lines = z.number().int().nonnegative();

const How = z.enum(["merge", "squash", "rebase"]);

export const FinishBody = z.strictObject({
  how: z
    .enum([...How.options, "pr", "keep"])
    .describe(
      "`pr` pushes the branch, opens a pull request and leaves the session unchanged; `keep` merges nothing and leaves the directory in place.",
    ),
  into: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe("A local branch, or with `pr` one of the remote; by default, the branch that the work started from."),
  dry_run: z.boolean().optional().describe("Only return what would be done."),
  commit: z.string().min(1).max(65_536).optional().describe("Commit uncommitted changes first, with this message."),
  message: z
    .string()
    .min(1)
    .max(65_536)
    .optional()
    .describe("Message of the merge or squash commit; for a pull request its title, and below it the description."),
  draft: z.boolean().optional().describe("Open the pull request as a draft."),
});

export const FinishPlan = z.object({
  how: How,
  into: z.string().describe("Local branch that receives the work."),
  old: z.string().describe("Its current commit."),
  source: z.object({ branch: z.string().nullable(), commit: z.string() }),
  result: z
    .enum(["fast_forward", "merge_commit", "squash_commit", "rebased", "already"])
    .describe("`already`: the target already contains the work."),
  commits: z.array(z.object({ id: z.string(), subject: z.string() })).describe("Newest first, at most 100."),
  commit_count: lines,
  total: z.object({ files: lines, added: lines, removed: lines }),
  uncommitted: z.array(z.string()).describe("Names changed or untracked in the workspace, at most 20."),
  conflicts: z.array(
    z.object({ path: z.string(), kind: z.string().describe("As named by git, such as `contents`."), message: z.string() }),
  ),
  checkout: z.string().nullable().describe("The work tree that has the target checked out, which is updated too."),
  blocks: z
    .array(z.object({ code: z.string(), message: z.string(), hint: z.string(), items: z.array(z.string()) }))
    .describe("Why it would be refused, and how to resolve that."),
});
export type FinishPlan = z.infer<typeof FinishPlan>;

const PullRequest = FinishPlan.pick({ commits: true, commit_count: true, total: true, uncommitted: true, blocks: true }).extend({
  branch: z.string().describe("The session's branch, which keeps its name at the remote."),
  base: z.string().describe("The branch that receives the work."),
  remote: z.string(),
  repository: z.string().nullable().describe("`HOST/OWNER/NAME`; null when the remote's URL names none."),
  commit: z.string().describe("The commit to push."),
  published: z.string().nullable().describe("Last known commit of the remote's branch; null if it was never observed."),
  title: z.string(),
  body: z.string(),
  draft: z.boolean(),
  number: z.number().int().positive().nullable().describe("Null in a dry run."),
  url: z.string().nullable(),
  existed: z.boolean().describe("It was already open, and now has the new commits."),
});

export const FinishAnswer = SessionAnswer.extend({
  dry_run: z.boolean(),
  plan: FinishPlan.nullable().describe("What was or would be done; null with `keep` and `pr`."),
  pull_request: PullRequest.nullable().describe("What was or would be proposed with `pr`; null otherwise."),
  result: Finished.nullable().describe("The branch that was moved; null if none was."),
  workspace_end: WorkspaceEnd.nullable().describe("Null when the workspace is kept; a note then gives the reason."),
  notes: z.array(z.string()),
});
export type FinishAnswer = z.infer<typeof FinishAnswer>;

export const EXAMPLE_PLAN: FinishPlan = {
  how: "squash",
  into: "main",
  old: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  source: { branch: "tmpm/demo", commit: "c3d0be41ecbe669545ee3e94d31ed9a4bc91ee3c" },
  result: "squash_commit",
  commits: [{ id: "c3d0be41ecbe669545ee3e94d31ed9a4bc91ee3c", subject: "Allow five tries" }],
  commit_count: 1,
  total: { files: 1, added: 1, removed: 1 },
  uncommitted: [],
  conflicts: [],
  checkout: "/home/me/api",
  blocks: [],
};
