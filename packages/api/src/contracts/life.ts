import { ControlModel, GrantWish, Receipt, Slug } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, project, session } from "./contract.js";
import { EXAMPLE_SESSION, EXAMPLE_STOPPED } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

/** The caller's `PATH`, used to find the agent's program and inherited by the session. */
const searchPath = z
  .string()
  .refine((path) => !path.includes("\0"), "a NUL cannot be in a search path")
  .optional();

/** Variables of the caller's environment, from which the session receives those that its agent reads. They are stored privately and never returned. */
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
  agent: z.string().min(1).max(100).default("shell").describe("The agent's id, alias or display name."),
  cwd: z.string(),
  name: Slug.optional(),
  name_hint: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe("Words to derive an unused name from when no name is given, such as a branch or the title of an issue."),
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
    .describe("What the agent may do without asking, in its own terms: its permission, approval or sandbox mode."),
  owner: Slug.optional().describe("The client that owns the session."),
  mode: Slug.optional().describe("The client's mode, such as `chat`."),
  grant: GrantWish.optional().describe(
    "What it may do to other sessions with its own token. A session can pass on at most its own rights, with a depth lower by one.",
  ),
  evict_siblings: z
    .boolean()
    .optional()
    .describe(
      "Once it runs, stop idle sessions of the same owner and mode. Sessions that are working, being waited for or in an unknown state keep running.",
    ),
  argv: z.array(z.string()).optional().describe("The program and its arguments, for agent `command`."),
  control: ControlModel.optional().describe("Host of the session; by default tmux, or a PTY where tmux is missing."),
  prompt: z.string().optional(),
  task: z.string().max(65_536).optional().describe("Purpose of the session; by default, the first prompt."),
  issue_id: z.string().min(1).optional(),
  issue_url: z.string().max(2_048).optional(),
  duplicate_issue: z.boolean().optional().describe("Allow another unfinished session of the project on the same issue."),
  ephemeral: z.boolean().optional(),
  trust: z.boolean().optional().describe("Answer the agent's trust and first-start questions in advance, in the user's own configuration."),
  repo: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("Clone this https, ssh or `git@host:` URL or absolute directory into a workspace for the session."),
  worktree: z.boolean().optional().describe("Use a work tree of the repository at `repo` or `cwd` instead of a clone."),
  branch: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "The workspace's branch, used as is or created; by default, a new one for the session. Any other revision, such as a tag or `origin/main`, is the start point of the session's own branch.",
    ),
  base: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe("Start point of a new branch: a branch, a tag or a commit; the directory's HEAD by default."),
  fetch: z.boolean().optional().describe("Fetch from the remote of `base` or `branch` before the worktree is made."),
  setup: z
    .boolean()
    .optional()
    .describe(
      "Consent to run the set-up in the repository's current `.tmpm.yaml` (true), or skip it (false). By default, it runs if that content was consented to before.",
    ),
  no_wait: z
    .boolean()
    .optional()
    .describe(
      "Respond once the session is recorded and its prompt accepted, before a workspace is made. A later failure leaves an `errored` session.",
    ),
  search_path: searchPath,
  env: environment,
});
export type CreateBody = z.input<typeof CreateBody>;

/** The session, and the outcome of its first prompt. */
export const CreateAnswer = SessionAnswer.extend({
  receipt: Receipt.nullable().describe("Outcome of the first prompt; null without one, and with `no_wait`."),
  turn_id: z.uuid().nullable().describe("Id of the first prompt's turn; null without one."),
  evicted: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .optional()
    .describe("Sessions stopped to make room for it, if requested."),
  notes: z
    .array(z.string())
    .optional()
    .describe("What the caller should know about the result, such as why another host than the default was used."),
});
export type CreateAnswer = z.infer<typeof CreateAnswer>;

export const StopAnswer = SessionAnswer.extend({
  survivors: z.array(z.number().int()).describe("Processes that did not end, by pid."),
  left_alone: z.string().nullable().describe("Why a terminal named by the record was left unchanged; null otherwise."),
});
export type StopAnswer = z.infer<typeof StopAnswer>;

export const RestartAnswer = SessionAnswer.extend({ left_alone: StopAnswer.shape.left_alone });
export type RestartAnswer = z.infer<typeof RestartAnswer>;

const graceMs = z.number().int().min(0).max(60_000).optional();

export const LIFE_ROUTES = {
  create: {
    method: "POST",
    path: "/v1/sessions",
    scope: "operator",
    acting: "start",
    summary: "Creates a session and launches its agent",
    description:
      "A failure leaves nothing behind, or an `errored` session with the cause. With `repo` or `worktree` a workspace is made first, which may take a while.",
    params: none,
    query: none,
    body: CreateBody,
    waits: true,
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
    example: { body: { agent: "shell", cwd: "/home/me/api", name: "demo" }, answer: { ...EXAMPLE_SESSION, receipt: null, turn_id: null } },
  },
  stop: {
    method: "POST",
    path: "/v1/sessions/:session/stop",
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
    method: "POST",
    path: "/v1/sessions/:session/resume",
    scope: "operator",
    summary: "Restarts a stopped session's agent, or unpauses the session",
    description: "Uses the same agent and directory, and the same conversation where the agent supports that.",
    params: session,
    query: none,
    body: z.strictObject({
      control: ControlModel.optional().describe("New host of the session; by default, the previous one. Only while it is stopped."),
      recreate: z.boolean().optional().describe("Recreate its workspace on its branch if the directory no longer exists."),
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
    method: "POST",
    path: "/v1/sessions/:session/restart",
    scope: "operator",
    summary: "Restarts a session's agent",
    params: session,
    query: none,
    body: z.strictObject({
      control: ControlModel.optional().describe("New host of the session; by default, the previous one."),
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
