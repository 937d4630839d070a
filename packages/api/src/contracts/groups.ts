import { GroupCheck, Slug } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { ErrorEnvelope } from "./error.js";
import { EXAMPLE_SESSION, EXAMPLE_STOPPED } from "./example-session.js";
import { FinishAnswer, FinishBody } from "./finish.js";
import { CreateAnswer, CreateBody } from "./life.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

const count = z.number().int().nonnegative();

const Member = z.strictObject({ agent: z.string().min(1).max(100), model: z.string().min(1).max(200).optional() });

export const FanBody = CreateBody.pick({
  cwd: true,
  prompt: true,
  task: true,
  base: true,
  fetch: true,
  setup: true,
  trust: true,
  permissions: true,
  reasoning_effort: true,
  project_id: true,
  owner: true,
  mode: true,
  issue_id: true,
  issue_url: true,
  search_path: true,
  env: true,
}).extend({
  members: z.array(Member).min(1).max(16).describe("One session for each, in its own work tree."),
  group: Slug.optional().describe("Name of the group; its sessions get it with a number appended. By default, the name of the directory."),
  check: z.string().min(1).max(8192).optional().describe("Command line for `/bin/sh` that checks the work of a session."),
});

export const FanAnswer = z.object({
  group: z.string(),
  sessions: z.array(CreateAnswer),
  failed: z
    .array(z.object({ agent: z.string(), model: z.string().nullable(), error: ErrorEnvelope.shape.error }))
    .describe("Members that could not be started."),
  notes: z.array(z.string()),
});
export type FanAnswer = z.infer<typeof FanAnswer>;

export const GroupAnswer = z.object({
  group: z.string(),
  check: z.string().nullable().describe("Command line that checks the work of a session."),
  members: z.array(
    z.object({
      session: SessionAnswer,
      changes: z
        .object({ files: count, added: count, removed: count })
        .nullable()
        .describe("Against its fork point; null for a session that is finished or whose work tree cannot be read."),
      checked: GroupCheck.nullable().describe("Last result of the check; null when it was not run."),
      turns: count,
      worked_ms: z.number().nonnegative().describe("Total duration of its turns, in ms."),
    }),
  ),
  notes: z.array(z.string()),
});
export type GroupAnswer = z.infer<typeof GroupAnswer>;

export const PickAnswer = FinishAnswer.extend({
  rest: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      outcome: z.enum(["removed", "stopped", "kept"]),
      why: z.string().nullable().describe("Why it was kept; null when it was not, or when `keep` was requested."),
    }),
  ),
});
export type PickAnswer = z.infer<typeof PickAnswer>;

const group = z.strictObject({ group: z.string().min(1).max(100).describe("The name of a group.") });

const EXAMPLE_GROUP: GroupAnswer = {
  group: "login",
  check: "npm test",
  members: [{ session: EXAMPLE_SESSION, changes: { files: 2, added: 14, removed: 3 }, checked: null, turns: 1, worked_ms: 184_000 }],
  notes: [],
};

export const GROUP_ROUTES = {
  fan: {
    method: "POST",
    path: "/v1/fan",
    scope: "operator",
    summary: "Starts several sessions with one prompt, each in its own work tree from the same commit",
    description:
      "Members that cannot be started are listed in `failed`; the others continue. If none can, the request fails with the first error.",
    params: none,
    query: none,
    body: FanBody,
    status: 201,
    answer: FanAnswer,
    errors: [
      "SESSION_NOT_OWNED",
      "NAME_TAKEN",
      "SESSION_LIMIT",
      "PROJECT_NOT_FOUND",
      "SETUP_FAILED",
      "REPOSITORY_NOT_FOUND",
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
    example: {
      body: { cwd: "/home/me/api", prompt: "Fix the login", members: [{ agent: "claude" }, { agent: "codex" }], group: "login" },
      answer: { group: "login", sessions: [{ ...EXAMPLE_SESSION, receipt: null, turn_id: null }], failed: [], notes: [] },
    },
  },
  group: {
    method: "GET",
    path: "/v1/groups/:group",
    scope: "observer",
    summary: "The sessions that were started together, side by side",
    params: group,
    query: none,
    body: null,
    status: 200,
    answer: GroupAnswer,
    errors: ["GROUP_NOT_FOUND"],
    example: { params: { group: "login" }, answer: EXAMPLE_GROUP },
  },
  checkGroup: {
    method: "POST",
    path: "/v1/groups/:group/check",
    scope: "operator",
    summary: "Runs the check of a group in the work trees of its sessions",
    description: "Runs sequentially, at most twenty minutes each, and skips sessions whose agents are working.",
    params: group,
    query: none,
    body: z.strictObject({
      check: z.string().min(1).max(8192).optional().describe("New command line of the group's check; by default, the current one."),
    }),
    status: 200,
    answer: GroupAnswer,
    errors: ["GROUP_NOT_FOUND", "SESSION_NOT_OWNED"],
    long: true,
    example: { params: { group: "login" }, body: { check: "npm test" }, answer: EXAMPLE_GROUP },
  },
  pick: {
    method: "POST",
    path: "/v1/sessions/:session/pick",
    scope: "operator",
    summary: "Finishes one session of a group and removes the others",
    description: "A refusal by `finish` changes nothing. Each of the others goes to the trash, from which `undo` restores it.",
    params: session,
    query: none,
    body: FinishBody.extend({
      rest: z.enum(["remove", "stop", "keep"]).optional().describe("What to do with the others; `remove` by default."),
      discard: z.boolean().optional().describe("Also move sessions to the trash whose work exists nowhere else."),
    }),
    status: 200,
    answer: PickAnswer,
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
      params: { session: "login-1" },
      body: { how: "squash" },
      answer: {
        ...EXAMPLE_STOPPED,
        dry_run: false,
        plan: null,
        pull_request: null,
        result: null,
        workspace_end: null,
        notes: [],
        rest: [{ id: "8f14e45f-ceea-467f-a9d0-1c2b3d4e5f60", name: "login-2", outcome: "removed", why: null }],
      },
    },
  },
} as const satisfies Record<string, Contract>;
