import { ControlModel, GrantWish, Receipt, Slug } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, project, session } from "./contract.js";
import { EXAMPLE_SESSION, EXAMPLE_STOPPED } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

/** The caller's `PATH`: where the agent's program is looked up, and what the session inherits. */
const searchPath = z
  .string()
  .refine((path) => !path.includes("\0"), "a NUL cannot be in a search path")
  .optional();

/** Variables of the caller's environment from which the session is given those that its agent reads. They are kept privately and never answered. */
const environment = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,255}$/),
    z
      .string()
      .max(131_072)
      .regex(/^[^\0]*$/),
  )
  .optional();

export const CreateBody = z.strictObject({
  agent: z.string().min(1).max(100).default("shell").describe("Its id, an alias or its display name."),
  cwd: z.string(),
  name: Slug.optional(),
  name_hint: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe("Words that a free name is made of where no name is given, such as a branch or the title of an issue."),
  project_id: project.optional(),
  model: z.string().min(1).optional(),
  model_provider: z.string().min(1).optional(),
  temperature: z.number().optional().describe("Between 0 and 2."),
  reasoning_effort: z.string().min(1).optional(),
  permissions: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("What the agent may do unasked, in its own words: its permission, approval or sandbox mode."),
  owner: Slug.optional().describe("The client that it is made for."),
  mode: Slug.optional().describe("In which of the client's modes, such as `chat`."),
  grant: GrantWish.optional().describe(
    "What it may do to other sessions with its own token. A session can pass on no more than it has, and a generation less.",
  ),
  evict_siblings: z
    .boolean()
    .optional()
    .describe(
      "Once it runs, stop the idle sessions of the same owner and mode. None that works, is waited for or whose state is unknown is stopped.",
    ),
  argv: z.array(z.string()).optional().describe("The program and its arguments, for agent `command`."),
  control: ControlModel.optional().describe("What holds the session; without it tmux, or a PTY where there is no tmux."),
  prompt: z.string().optional(),
  task: z.string().max(65_536).optional().describe("What it is there for; without it, the first prompt."),
  issue_id: z.string().min(1).optional(),
  issue_url: z.string().max(2_048).optional(),
  duplicate_issue: z
    .boolean()
    .optional()
    .describe("Another unfinished session of the project may work on the same issue; else that is refused."),
  ephemeral: z.boolean().optional(),
  trust: z
    .boolean()
    .optional()
    .describe("Answer the agent's questions about trust and its first start beforehand, in its user's own configuration."),
  repo: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("A workspace of its own: a clone of this https, ssh or `git@host:` URL or absolute directory."),
  worktree: z.boolean().optional().describe("A work tree of the repository at `repo` or `cwd` instead of a clone."),
  branch: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "The workspace's branch, used as it is or made; without it one is made for the session. What git takes for anything else, such as a tag or `origin/main`, is what the session's own branch starts from.",
    ),
  base: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe("The revision that a new branch starts from: a branch, a tag, a commit; without it, where the directory is."),
  fetch: z.boolean().optional().describe("Fetch from the remote of `base` or `branch` before the worktree is made."),
  setup: z
    .boolean()
    .optional()
    .describe(
      "Agree to what the repository's `.tmpm.yaml` says is to be done in a new workspace, as it is now (true), or leave that out (false). Otherwise it is done when that content was agreed to before.",
    ),
  search_path: searchPath,
  env: environment,
});
export type CreateBody = z.input<typeof CreateBody>;

/** The session, and what became of its first prompt; null without one. */
export const CreateAnswer = SessionAnswer.extend({
  receipt: Receipt.nullable(),
  evicted: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .optional()
    .describe("Sessions that were stopped in its favour, when that was asked for."),
  notes: z
    .array(z.string())
    .optional()
    .describe("What its caller should know of how it came out, such as why it runs on another host than usual."),
});
export type CreateAnswer = z.infer<typeof CreateAnswer>;

export const StopAnswer = SessionAnswer.extend({
  survivors: z.array(z.number().int()).describe("Processes that did not end, by pid."),
  left_alone: z.string().nullable().describe("Why a terminal that the record named was not touched; null when nothing was left alone."),
});
export type StopAnswer = z.infer<typeof StopAnswer>;

export const RestartAnswer = SessionAnswer.extend({ left_alone: StopAnswer.shape.left_alone });
export type RestartAnswer = z.infer<typeof RestartAnswer>;

const graceMs = z.number().int().min(0).max(60_000).optional();

export const LIFE_ROUTES = {
  create: {
    scope: "operator",
    acting: "start",
    summary: "Creates a session and launches its agent",
    description:
      "On failure nothing is left, or an `errored` session that says why. With `repo` or `worktree` a workspace of its own is made first, which may take long.",
    params: none,
    query: none,
    body: CreateBody,
    status: 201,
    answer: CreateAnswer,
    errors: [
      "SESSION_NOT_OWNED",
      "NAME_TAKEN",
      "ISSUE_TAKEN",
      "SESSION_LIMIT",
      "GRANT_REFUSED",
      "RIGHTS_EXCEEDED",
      "LINEAGE_LIMIT",
      "CAUSATION_REFUSED",
      "PROJECT_NOT_FOUND",
      "SETUP_FAILED",
      "REPOSITORY_NOT_FOUND",
      "BRANCH_IN_USE",
      "TARGET_EXISTS",
      "GIT_FAILED",
      "WORKSPACE_REFUSED",
      "INVALID_STATE",
      ...MAY_FAIL.LAUNCH,
      ...MAY_FAIL.TYPING,
      ...MAY_FAIL.PANE,
      ...MAY_FAIL.TMUX,
    ],
    long: true,
    example: { body: { agent: "shell", cwd: "/home/me/api", name: "demo" }, answer: { ...EXAMPLE_SESSION, receipt: null } },
  },
  stop: {
    scope: "operator",
    acting: "control",
    summary: "Ends a session's whole process tree; keeps record and directory",
    params: session,
    query: none,
    body: z.strictObject({ grace_ms: graceMs }),
    status: 200,
    answer: StopAnswer,
    errors: ["INVALID_STATE", ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    conditional: true,
    long: true,
    example: { params: { session: "demo" }, body: { grace_ms: 3000 }, answer: { ...EXAMPLE_STOPPED, survivors: [], left_alone: null } },
  },
  resume: {
    scope: "operator",
    summary: "Launches a stopped session's agent again, or lifts a pause",
    description: "The same agent, in the same directory, with the same conversation where the agent can.",
    params: session,
    query: none,
    body: z.strictObject({
      control: ControlModel.optional().describe(
        "What holds the session from now on; without it what held it before. Only while it is stopped.",
      ),
      recreate: z.boolean().optional().describe("Make its workspace again, on its branch, where the directory is gone."),
      search_path: searchPath,
      env: environment,
    }),
    status: 200,
    answer: SessionAnswer,
    errors: ["INVALID_STATE", "NAME_TAKEN", ...MAY_FAIL.LAUNCH, ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    conditional: true,
    long: true,
    example: { params: { session: "demo" }, answer: EXAMPLE_SESSION },
  },
  restart: {
    scope: "operator",
    summary: "Stops a session and launches its agent again",
    params: session,
    query: none,
    body: z.strictObject({
      control: ControlModel.optional().describe("What holds the session from now on; without it what held it before."),
      grace_ms: graceMs,
      search_path: searchPath,
      env: environment,
    }),
    status: 200,
    answer: RestartAnswer,
    errors: ["INVALID_STATE", "NAME_TAKEN", "SURVIVORS", ...MAY_FAIL.LAUNCH, ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    conditional: true,
    long: true,
    example: { params: { session: "demo" }, answer: { ...EXAMPLE_SESSION, left_alone: null } },
  },
} as const satisfies Record<string, Contract>;
