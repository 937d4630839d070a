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
    .describe("Whether events are persisted."),
  audit: z
    .object({ state: z.enum(["ok", "degraded"]), message: z.string().nullable() })
    .optional()
    .describe("Whether requests are recorded in the audit log."),
  listening: z.array(z.string()).optional().describe("TCP addresses, in addition to the socket."),
  listening_by: z
    .enum(["environment", "file", "web"])
    .optional()
    .describe("Source of the setting: the daemon's environment, the configuration file, or `tmpm web`."),
});
export type HealthAnswer = z.infer<typeof HealthAnswer>;

export const ReadyAnswer = z.object({
  ready: z.literal(true),
  checks: z.array(
    z.object({ name: z.string(), ok: z.boolean(), message: z.string().nullable().describe("Why it is unavailable; null when it is not.") }),
  ),
});
export type ReadyAnswer = z.infer<typeof ReadyAnswer>;

export const Check = z.object({
  id: z.string().optional().describe("Which check found it, as docs/doctor.md lists them."),
  name: z.string().describe("What was checked."),
  status: z.enum(["ok", "warn", "fail", "skip"]).describe("`skip`: not checkable here; `message` gives the reason."),
  message: z.string().describe("What was found."),
  hint: z.string().nullable().describe("What to do about it."),
  fixable: z.literal(true).optional().describe("Set by the command line only: `tmpm doctor --fix` can fix it."),
});
export type Check = z.infer<typeof Check>;

export const Fix = z.object({
  id: z.string().describe("Id of the check that it fixes."),
  outcome: z.enum(["done", "left", "failed"]),
  message: z.string().describe("What was done, or why nothing was."),
});
export type Fix = z.infer<typeof Fix>;

export const DoctorAnswer = z.object({
  checks: z.array(Check),
  fixes: z.array(Fix).optional().describe("Set by the command line with `--fix` only; `checks` then shows the result."),
});
export type DoctorAnswer = z.infer<typeof DoctorAnswer>;

/** The part of OpenAPI that a reader of schemas needs; the document contains the rest, too. */
export const OpenApiAnswer = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});
export type OpenApiAnswer = z.infer<typeof OpenApiAnswer>;

export const DAEMON_ROUTES = {
  health: {
    method: "GET",
    path: "/healthz",
    scope: "observer",
    summary: "The daemon's health and version",
    description: "Answers clients of every version. A `degraded` daemon still answers; `store` and `events` show what is wrong.",
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
    method: "GET",
    path: "/readyz",
    scope: "observer",
    summary: "Whether the daemon accepts work",
    description:
      "Answers clients of every version. If it does not, responds 503 `NOT_READY` with the status of each part in `details.checks`: the records, the events, the audit log, recovery from the last daemon, tmux.",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: ReadyAnswer,
    errors: ["NOT_READY"],
    example: { answer: { ready: true, checks: [{ name: "store", ok: true, message: null }] } },
  },
  doctor: {
    method: "GET",
    path: "/v1/doctor",
    scope: "observer",
    summary: "Runs the checks that only the daemon can run: its tmux server, its records, the agents and the delivery of their reports",
    params: none,
    query: none,
    body: null,
    status: 200,
    answer: DoctorAnswer,
    errors: [...MAY_FAIL.TMUX],
    example: { answer: { checks: [{ id: "records", name: "records", status: "ok", message: "12 readable", hint: null }] } },
  },
  openapi: {
    method: "GET",
    path: "/openapi.json",
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
    method: "POST",
    path: "/v1/daemon/shutdown",
    scope: "admin",
    summary: "Stops the daemon; sessions keep running",
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
