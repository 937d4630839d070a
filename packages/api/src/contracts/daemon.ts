import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none } from "./contract.js";
import { StoreHealth } from "./list.js";
import { MAY_FAIL } from "./may-fail.js";

export const HealthAnswer = z.object({
  status: z.enum(["ok", "degraded"]),
  version: z.string(),
  pid: z.number().int(),
  started_at: Timestamp,
  home: z.string(),
  store: StoreHealth,
  events: z
    .object({ state: z.enum(["ok", "degraded"]), message: z.string().nullable() })
    .optional()
    .describe("Whether what happens is written down."),
  audit: z
    .object({ state: z.enum(["ok", "degraded"]), message: z.string().nullable() })
    .optional()
    .describe("Whether what is asked is written down."),
  listening: z.array(z.string()).optional().describe("The addresses of TCP, beside the socket."),
  listening_by: z
    .enum(["environment", "file", "web"])
    .optional()
    .describe("What said so: the environment that it was started with, the configuration file, or `tmpm web`."),
});
export type HealthAnswer = z.infer<typeof HealthAnswer>;

export const ReadyAnswer = z.object({
  ready: z.literal(true),
  checks: z.array(
    z.object({ name: z.string(), ok: z.boolean(), message: z.string().nullable().describe("Why it is not; null when it is.") }),
  ),
});
export type ReadyAnswer = z.infer<typeof ReadyAnswer>;

export const Check = z.object({
  id: z.string().optional().describe("Which check found it, as docs/doctor.md lists them."),
  name: z.string().describe("What was looked at."),
  status: z.enum(["ok", "warn", "fail", "skip"]).describe("`skip`: it could not be looked at here; `message` says why."),
  message: z.string().describe("What was seen."),
  hint: z.string().nullable().describe("What to do about it."),
  fixable: z.literal(true).optional().describe("Of the command line alone: `tmpm doctor --fix` does something about it."),
});
export type Check = z.infer<typeof Check>;

export const Fix = z.object({
  id: z.string().describe("The check whose finding it is about."),
  outcome: z.enum(["done", "left", "failed"]),
  message: z.string().describe("What was done, or why it was left."),
});
export type Fix = z.infer<typeof Fix>;

export const DoctorAnswer = z.object({
  checks: z.array(Check),
  fixes: z.array(Fix).optional().describe("Of the command line alone, with `--fix`; `checks` then shows the result."),
});
export type DoctorAnswer = z.infer<typeof DoctorAnswer>;

/** As much of OpenAPI as a reader of schemas needs; the rest is there, too. */
export const OpenApiAnswer = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});
export type OpenApiAnswer = z.infer<typeof OpenApiAnswer>;

export const DAEMON_ROUTES = {
  health: {
    scope: "observer",
    summary: "Says whether the daemon is well, and which version it is",
    description: "Answers clients of every version. `degraded` still answers; `store` and `events` say what is wrong.",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: HealthAnswer,
    errors: [],
    example: {
      answer: {
        status: "ok",
        version: "1.0.0",
        pid: 410,
        started_at: "2026-01-02T03:04:05Z",
        home: "/home/me/.local/state/tmpm",
        store: { state: "ok", message: null },
        events: { state: "ok", message: null },
      },
    },
  },
  ready: {
    scope: "observer",
    summary: "Says whether the daemon can be given work",
    description:
      "Answers clients of every version, with 503 and `NOT_READY` when it cannot; `details.checks` then says of each part whether it is well: the records, the events, the audit log, what the last daemon left, tmux.",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: ReadyAnswer,
    errors: ["NOT_READY"],
    example: { answer: { ready: true, checks: [{ name: "store", ok: true, message: null }] } },
  },
  doctor: {
    scope: "observer",
    summary: "Checks what the daemon alone can: its tmux server, records, agents, and whether their reports arrive",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: DoctorAnswer,
    errors: [...MAY_FAIL.TMUX],
    example: { answer: { checks: [{ id: "records", name: "records", status: "ok", message: "12 readable", hint: null }] } },
  },
  openapi: {
    scope: "observer",
    summary: "This description, as OpenAPI 3.1",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: OpenApiAnswer,
    errors: [],
    example: {
      answer: { openapi: "3.1.0", info: { title: "tmpm", version: "1.0.0" }, paths: {}, components: { schemas: {} } },
    },
  },
  shutdown: {
    scope: "admin",
    summary: "Ends the daemon; sessions go on",
    description: "Answers clients of every version.",
    params: none,
    query: none,
    body: none,
    status: 202,
    answer: z.object({ stopping: z.literal(true) }),
    errors: [],
    example: { answer: { stopping: true } },
  },
} as const satisfies Record<string, Contract>;
