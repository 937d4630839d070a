import { Receipt, Slug } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { SessionAnswer } from "./session.js";

/** The caller's `PATH`: where the agent's program is looked up, and what the session inherits. */
const searchPath = z.string().optional();

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
  /** Its id, an alias or its display name. */
  agent: z.string().min(1).max(100).default("shell"),
  cwd: z.string(),
  name: Slug.optional(),
  project_id: Slug.optional(),
  model: z.string().min(1).optional(),
  /** The program and its arguments, for agent `command`. */
  argv: z.array(z.string()).optional(),
  prompt: z.string().optional(),
  issue_id: z.string().min(1).optional(),
  ephemeral: z.boolean().optional(),
  /** Answer the agent's questions about trust and its first start beforehand, in its user's own configuration. */
  trust: z.boolean().optional(),
  /** A workspace of its own: a clone of this https, ssh or `git@host:` URL or absolute directory. */
  repo: z.string().min(1).max(4096).optional(),
  /** A work tree of the repository at `repo` or `cwd` instead of a clone. */
  worktree: z.boolean().optional(),
  /** The workspace's branch, used as it is or made; without it one is made for the session. */
  branch: z.string().min(1).max(200).optional(),
  search_path: searchPath,
  env: environment,
});
export type CreateBody = z.input<typeof CreateBody>;

/** The session, and what became of its first prompt; null without one. */
export const CreateAnswer = SessionAnswer.extend({ receipt: Receipt.nullable() });
export type CreateAnswer = z.infer<typeof CreateAnswer>;

export const StopAnswer = SessionAnswer.extend({
  /** Processes that did not end, by pid. */
  survivors: z.array(z.number().int()),
  /** Why a terminal that the record named was not touched; null when nothing was left alone. */
  left_alone: z.string().nullable(),
});
export type StopAnswer = z.infer<typeof StopAnswer>;

export const RestartAnswer = SessionAnswer.extend({ left_alone: StopAnswer.shape.left_alone });
export type RestartAnswer = z.infer<typeof RestartAnswer>;

const graceMs = z.number().int().min(0).max(60_000).optional();

export const LIFE_ROUTES = {
  create: { scope: "operator", params: none, query: none, body: CreateBody, status: 201, answer: CreateAnswer },
  stop: {
    scope: "operator",
    params: session,
    query: none,
    body: z.strictObject({ grace_ms: graceMs }),
    status: 200,
    answer: StopAnswer,
  },
  resume: {
    scope: "operator",
    params: session,
    query: none,
    body: z.strictObject({ search_path: searchPath, env: environment }),
    status: 200,
    answer: SessionAnswer,
  },
  restart: {
    scope: "operator",
    params: session,
    query: none,
    body: z.strictObject({ grace_ms: graceMs, search_path: searchPath, env: environment }),
    status: 200,
    answer: RestartAnswer,
  },
} as const satisfies Record<string, Contract>;
