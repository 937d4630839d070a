import { MESSAGE_LIMITS, Question, Report, ReportKind } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, flag, none, project, session } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { next } from "./paging.js";

const name = z.string().describe("The session's name.");

export const AskedAnswer = Question.extend({ session: name });
export type AskedAnswer = z.infer<typeof AskedAnswer>;

export const ReportAnswer = Report.extend({ session: name });
export type ReportAnswer = z.infer<typeof ReportAnswer>;

export const InboxAnswer = z.object({
  questions: z.array(AskedAnswer).describe("Longest waiting first."),
  reports: z.array(ReportAnswer).describe("Newest first."),
  next,
});
export type InboxAnswer = z.infer<typeof InboxAnswer>;

const EXAMPLE_QUESTION: AskedAnswer = {
  id: "c1a7f0de-5b8e-4f0f-9d0a-7b1f2e3d4c5b",
  session_id: EXAMPLE_SESSION.id,
  session: "demo",
  question: "Which database?",
  choices: ["SQLite", "PostgreSQL"],
  asked_at: "2026-01-02T03:04:05Z",
  answer: null,
  withdrawn_at: null,
};

const EXAMPLE_ANSWERED: AskedAnswer = {
  ...EXAMPLE_QUESTION,
  answer: {
    text: "SQLite",
    choice: 1,
    by: null,
    at: "2026-01-02T03:05:05Z",
    delivery: "prompt",
    turn_id: "0c4e8a51-9d63-4c1b-8f27-3a6b5d9e1f70",
    collected_at: null,
  },
};

const EXAMPLE_REPORT: ReportAnswer = {
  id: "5e2d9b1c-3c4f-4d5a-8b6e-9f0a1b2c3d4e",
  session_id: EXAMPLE_SESSION.id,
  session: "demo",
  kind: "done",
  text: "The login works, with tests.",
  artifacts: ["src/login.ts"],
  to: null,
  at: "2026-01-02T03:04:05Z",
};

const question = session.extend({ question: z.string().min(1).max(100).describe("A question's id, or a prefix of it.") });
const EXAMPLE_PARAMS = { session: "demo", question: EXAMPLE_QUESTION.id };

export const MESSAGE_ROUTES = {
  ask: {
    method: "POST",
    path: "/v1/sessions/:session/questions",
    scope: "operator",
    acting: "own",
    summary: "Asks the user a question on behalf of a session",
    description: "Idempotent: returns the same question while it is open, and until its answer has reached the session. See `docs/mcp.md`.",
    params: session,
    query: none,
    body: z.strictObject({
      question: z.string().min(1).max(MESSAGE_LIMITS.question),
      choices: z.array(z.string().min(1).max(MESSAGE_LIMITS.choice)).max(MESSAGE_LIMITS.choices).optional(),
    }),
    status: 201,
    answer: AskedAnswer,
    errors: ["QUESTION_LIMIT"],
    example: {
      params: { session: "demo" },
      body: { question: EXAMPLE_QUESTION.question, choices: EXAMPLE_QUESTION.choices },
      answer: EXAMPLE_QUESTION,
    },
  },
  question: {
    method: "GET",
    path: "/v1/sessions/:session/questions/:question",
    scope: "observer",
    acting: "read",
    summary: "A question of a session, once answered or timed out",
    description: "With the session's own token, this marks the answer as received.",
    params: question,
    query: z.strictObject({
      wait_ms: count(0, 60_000).optional().describe("Maximum wait for an answer, in ms. After that, the question is returned unanswered."),
    }),
    body: null,
    status: 200,
    answer: AskedAnswer,
    waits: true,
    errors: ["QUESTION_NOT_FOUND"],
    example: { params: EXAMPLE_PARAMS, query: { wait_ms: "20000" }, answer: EXAMPLE_ANSWERED },
  },
  answerQuestion: {
    method: "POST",
    path: "/v1/sessions/:session/questions/:question/answer",
    scope: "operator",
    acting: "control",
    summary: "Answers a question of a session, once",
    description:
      "If the agent is not waiting for it, the answer is sent as a prompt. If the session is not running, the answer is kept until it asks again.",
    params: question,
    query: none,
    body: z.strictObject({
      answer: z.discriminatedUnion("kind", [
        z.strictObject({ kind: z.literal("choice"), number: z.number().int().min(1).max(MESSAGE_LIMITS.choices) }),
        z.strictObject({ kind: z.literal("text"), text: z.string().min(1).max(MESSAGE_LIMITS.answer) }),
      ]),
    }),
    status: 200,
    answer: AskedAnswer,
    errors: ["QUESTION_NOT_FOUND", "DECISION_GONE", "INVALID_TEXT", "CAUSATION_REFUSED", "LINEAGE_LIMIT"],
    example: { params: EXAMPLE_PARAMS, body: { answer: { kind: "choice", number: 1 } }, answer: EXAMPLE_ANSWERED },
  },
  withdrawQuestion: {
    method: "DELETE",
    path: "/v1/sessions/:session/questions/:question",
    scope: "operator",
    acting: "own",
    summary: "Withdraws a question",
    params: question,
    query: none,
    body: null,
    status: 200,
    answer: AskedAnswer,
    errors: ["QUESTION_NOT_FOUND", "DECISION_GONE"],
    example: { params: EXAMPLE_PARAMS, answer: { ...EXAMPLE_QUESTION, withdrawn_at: "2026-01-02T03:05:05Z" } },
  },
  report: {
    method: "POST",
    path: "/v1/sessions/:session/reports",
    scope: "operator",
    acting: "own",
    summary: "Reports on behalf of a session, to the session that started it or to the user",
    description: "No session is prompted.",
    params: session,
    query: none,
    body: z.strictObject({
      kind: ReportKind,
      text: z.string().min(1).max(MESSAGE_LIMITS.report),
      artifacts: z
        .array(z.string().min(1).max(MESSAGE_LIMITS.path))
        .max(MESSAGE_LIMITS.artifacts)
        .optional()
        .describe("Files, branches or addresses."),
    }),
    status: 201,
    answer: ReportAnswer,
    errors: [],
    example: {
      params: { session: "demo" },
      body: { kind: "done", text: EXAMPLE_REPORT.text, artifacts: EXAMPLE_REPORT.artifacts },
      answer: EXAMPLE_REPORT,
    },
  },
  inbox: {
    method: "GET",
    path: "/v1/inbox",
    scope: "observer",
    acting: "read",
    summary: "What sessions ask and report",
    params: none,
    query: z.strictObject({
      session: z.string().min(1).optional().describe("Only this session's."),
      project_id: project.optional(),
      all: flag.optional().describe("Include closed questions, and those of finished sessions."),
      limit: count(1, 200).optional().describe("Maximum number of reports, newest first; 20 by default."),
    }),
    body: null,
    status: 200,
    answer: InboxAnswer,
    errors: ["PROJECT_NOT_FOUND", ...MAY_FAIL.SESSION],
    example: { answer: { questions: [EXAMPLE_QUESTION], reports: [EXAMPLE_REPORT], next: null } },
  },
} as const satisfies Record<string, Contract>;
