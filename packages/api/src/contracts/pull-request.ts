import { PullRequestWatch } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";

const login = z.string().regex(/^[A-Za-z0-9[\]_-]{1,100}$/, "not a login");

export const PullRequestAnswer = PullRequestWatch.omit({
  at: true,
  pages: true,
  reported: true,
  unconfirmed: true,
  undelivered: true,
  submitting: true,
}).extend({
  session_id: z.string(),
  session: z.string().describe("Its name."),
  repository: z.string().describe("`HOST/OWNER/NAME`."),
  reported: z.number().int().nonnegative().describe("Number of reported items; each is reported once."),
  undelivered: z.number().int().nonnegative().describe("Number of items waiting until the session accepts prompts."),
});
export type PullRequestAnswer = z.infer<typeof PullRequestAnswer>;

const EXAMPLE: PullRequestAnswer = {
  session_id: "8f14e45f-ceea-467f-a9d0-1c2b3d4e5f60",
  session: "demo",
  number: 7,
  url: "https://github.com/demo/api/pull/7",
  repository: "github.com/demo/api",
  mode: "deliver",
  from: ["alice"],
  state: "open",
  head: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  checks: { passed: 3, failed: 1, pending: 0 },
  reviews: { alice: "changes_requested" },
  reported: 6,
  undelivered: 0,
  prompts: 1,
  looked_at: "2026-01-02T03:04:05Z",
  next_at: "2026-01-02T03:05:05Z",
  failures: 0,
  failure: null,
};

export const PULL_REQUEST_ROUTES = {
  pullRequest: {
    method: "GET",
    path: "/v1/sessions/:session/pull-request",
    scope: "observer",
    summary: "Status of a session's pull request",
    description: "Answered from the last observation, without a request.",
    params: session,
    query: none,
    body: null,
    status: 200,
    answer: PullRequestAnswer,
    errors: ["PULL_REQUEST_NOT_FOUND"],
    example: { params: { session: "demo" }, answer: EXAMPLE },
  },
  watchPullRequest: {
    method: "POST",
    path: "/v1/sessions/:session/pull-request",
    scope: "operator",
    summary: "Sets whether a session's pull request is watched, and how news is delivered",
    description:
      "The host is queried only while the pull request is watched, or with `now`. Each check, review and comment is reported once, as `pull_request_news`, and again only after an edit.",
    params: session,
    query: none,
    body: z.strictObject({
      mode: PullRequestWatch.shape.mode
        .optional()
        .describe("`events` reports news as events and notifications; `deliver` also sends actionable news to the session as a prompt."),
      from: z.array(login).max(100).optional().describe("With `deliver`: the logins whose comments are sent to the session."),
      now: z.boolean().optional().describe("Query the host now."),
    }),
    status: 200,
    answer: PullRequestAnswer,
    errors: ["PULL_REQUEST_NOT_FOUND"],
    example: { params: { session: "demo" }, body: { mode: "deliver", from: ["alice"] }, answer: EXAMPLE },
  },
} as const satisfies Record<string, Contract>;
