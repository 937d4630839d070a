import { Activity, ERRORS, type ErrorCode, Receipt, Session, SessionId, SessionRecord, SessionState, Slug, Timestamp } from "@tmpm/core";
import * as z from "zod";
import type { RouteName } from "./paths.js";

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The one error envelope. `effect` says whether the request may have had its effect; only `none` is retried without asking. */
export const ErrorEnvelope = z.object({
  error: z.object({
    code: z.enum(codes),
    message: z.string(),
    hint: z.string().nullable(),
    effect: z.enum(["none", "unknown"]),
    details: z.record(z.string(), z.unknown()),
  }),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** A session in an answer: the snapshot, the record, and what is believed now. */
export const SessionAnswer = z.looseObject({
  ...SessionRecord.shape,
  ...Session.shape,
  activity: Activity,
  /** Terminals of people attached when the session was last observed. */
  viewers: z.number().int().nonnegative(),
  /** What a person should do about the session; null when nothing. */
  hint: z.string().nullable(),
});
export type SessionAnswer = z.infer<typeof SessionAnswer>;

/** A record that is listed but not used: `unsupported` was written by a newer tmpm, `damaged` cannot be read. */
export const Problem = z.object({
  kind: z.enum(["unsupported", "damaged"]),
  id: z.string(),
  project_id: z.string(),
  reason: z.string(),
});
export type Problem = z.infer<typeof Problem>;

export const StoreHealth = z.object({ state: z.enum(["ok", "degraded"]), message: z.string().nullable() });

export const SessionList = z.object({
  sessions: z.array(SessionAnswer),
  problems: z.array(Problem),
  store: StoreHealth,
  next: z.string().nullable(),
});
export type SessionList = z.infer<typeof SessionList>;

/** The caller's `PATH`: where the agent's program is looked up, and what the session inherits. */
const searchPath = z.string().optional();

export const CreateBody = z.strictObject({
  agent: Slug.default("shell"),
  cwd: z.string(),
  name: Slug.optional(),
  project_id: Slug.optional(),
  model: z.string().min(1).optional(),
  /** The program and its arguments, for agent `command`. */
  argv: z.array(z.string()).optional(),
  prompt: z.string().optional(),
  issue_id: z.string().min(1).optional(),
  ephemeral: z.boolean().optional(),
  search_path: searchPath,
});
export type CreateBody = z.input<typeof CreateBody>;

/** The session, and what became of its first prompt; null without one. */
export const CreateAnswer = SessionAnswer.extend({ receipt: Receipt.nullable() });
export type CreateAnswer = z.infer<typeof CreateAnswer>;

export const SendBody = z.strictObject({
  text: z.string(),
  /** Type even though the session is not ready; then nothing may show that the text arrived. */
  now: z.boolean().optional(),
});
export type SendBody = z.input<typeof SendBody>;

export const SendAnswer = z.object({ receipt: Receipt, session: SessionAnswer });
export type SendAnswer = z.infer<typeof SendAnswer>;

export const KeysBody = z.strictObject({ keys: z.array(z.string()).min(1).max(1000) });

export const ScreenAnswer = z.object({
  lines: z.array(z.string()),
  columns: z.number().int(),
  rows: z.number().int(),
  cursor: z.object({ column: z.number().int(), row: z.number().int(), visible: z.boolean() }),
  title: z.string(),
  /** False for the last lines of a session that has ended. */
  live: z.boolean(),
  captured_at: Timestamp,
});
export type ScreenAnswer = z.infer<typeof ScreenAnswer>;

/** `idle`: the agent is ready for input. `exited`: the session's program has ended. */
export const WaitUntil = z.enum(["idle", "exited"]);
export type WaitUntil = z.infer<typeof WaitUntil>;

export const StopAnswer = SessionAnswer.extend({
  /** Processes that did not end, by pid. */
  survivors: z.array(z.number().int()),
});
export type StopAnswer = z.infer<typeof StopAnswer>;

export const HealthAnswer = z.object({
  status: z.enum(["ok", "degraded"]),
  version: z.string(),
  pid: z.number().int(),
  started_at: Timestamp,
  home: z.string(),
  store: StoreHealth,
});
export type HealthAnswer = z.infer<typeof HealthAnswer>;

export const Check = z.object({
  name: z.string(),
  status: z.enum(["ok", "warn", "fail"]),
  message: z.string(),
  hint: z.string().nullable(),
});
export type Check = z.infer<typeof Check>;

export const DoctorAnswer = z.object({ checks: z.array(Check) });
export type DoctorAnswer = z.infer<typeof DoctorAnswer>;

/** Absolute, as the daemon sees it. */
const path = z.string().min(1);
/** Look and answer, and write nothing. */
const dryRun = z.boolean().optional();

export const ImportBody = z.strictObject({ from: z.enum(["trusty-mpm", "ao-rs", "swimmers"]), path, dry_run: dryRun });
export type ImportBody = z.input<typeof ImportBody>;

export const ImportAnswer = z.object({
  from: ImportBody.shape.from,
  path,
  dry_run: z.boolean(),
  /** One for each document that was found, in the order of the files. */
  documents: z.array(
    z.object({
      /** The file. */
      source: z.string(),
      /** The other program's id; null where the document does not say it. */
      id: z.string().nullable(),
      outcome: z.enum(["mapped", "already_there", "skipped"]),
      session: z.object({ id: SessionId, name: Slug, project_id: Slug, state: SessionState }).nullable(),
      /** Why it was skipped. */
      reason: z.string().nullable(),
      /** What a mapped session is not as it was. */
      notes: z.array(z.string()),
    }),
  ),
});
export type ImportAnswer = z.infer<typeof ImportAnswer>;

export const ExportBody = z.strictObject({ to: z.enum(["trusty-mpm", "ao-rs"]), path, dry_run: dryRun });
export type ExportBody = z.input<typeof ExportBody>;

export const ExportAnswer = z.object({
  to: ExportBody.shape.to,
  path,
  dry_run: z.boolean(),
  sessions: z.array(
    z.object({
      id: z.string(),
      /** Null for a record that cannot be read. */
      name: z.string().nullable(),
      outcome: z.enum(["written", "skipped"]),
      /** Why the other program's form cannot hold it. */
      reason: z.string().nullable(),
      /** What the other program is not told. */
      notes: z.array(z.string()),
    }),
  ),
});
export type ExportAnswer = z.infer<typeof ExportAnswer>;

const session = z.object({ session: z.string().min(1) });
const none = z.object({});
const flag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Every route: what it takes and what it answers. Scopes: `observer` reads, `operator` changes sessions, `admin` changes the daemon. */
export const CONTRACTS = {
  health: { scope: "observer", params: none, query: none, body: null, status: 200, answer: HealthAnswer },
  doctor: { scope: "observer", params: none, query: none, body: null, status: 200, answer: DoctorAnswer },
  shutdown: { scope: "admin", params: none, query: none, body: none, status: 202, answer: z.object({ stopping: z.literal(true) }) },
  import: { scope: "admin", params: none, query: none, body: ImportBody, status: 200, answer: ImportAnswer },
  export: { scope: "admin", params: none, query: none, body: ExportBody, status: 200, answer: ExportAnswer },
  list: {
    scope: "observer",
    params: none,
    query: z.strictObject({ all: flag.optional(), project_id: Slug.optional() }),
    body: null,
    status: 200,
    answer: SessionList,
  },
  create: { scope: "operator", params: none, query: none, body: CreateBody, status: 201, answer: CreateAnswer },
  show: { scope: "observer", params: session, query: none, body: null, status: 200, answer: SessionAnswer },
  remove: { scope: "operator", params: session, query: none, body: null, status: 200, answer: StopAnswer },
  send: { scope: "operator", params: session, query: none, body: SendBody, status: 200, answer: SendAnswer },
  keys: { scope: "operator", params: session, query: none, body: KeysBody, status: 200, answer: SessionAnswer },
  capture: {
    scope: "observer",
    params: session,
    query: z.strictObject({ history: z.coerce.number().int().min(0).max(100_000).optional() }),
    body: null,
    status: 200,
    answer: ScreenAnswer,
  },
  wait: {
    scope: "observer",
    params: session,
    query: z.strictObject({ until: WaitUntil.default("idle"), timeout_ms: z.coerce.number().int().min(0).max(3_600_000).default(30_000) }),
    body: null,
    status: 200,
    answer: SessionAnswer,
  },
  attach: {
    scope: "operator",
    params: session,
    query: none,
    body: null,
    status: 200,
    answer: z.object({ argv: z.array(z.string()).min(1), session: SessionAnswer }),
  },
  stop: {
    scope: "operator",
    params: session,
    query: none,
    body: z.strictObject({ grace_ms: z.number().int().min(0).max(60_000).optional() }),
    status: 200,
    answer: StopAnswer,
  },
  resume: {
    scope: "operator",
    params: session,
    query: none,
    body: z.strictObject({ search_path: searchPath }),
    status: 200,
    answer: SessionAnswer,
  },
} as const satisfies Record<RouteName, Contract>;

export interface Contract {
  readonly scope: "observer" | "operator" | "admin";
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  readonly status: 200 | 201 | 202;
  readonly answer: z.ZodType;
}

type Contracts = typeof CONTRACTS;
type Part<R extends RouteName, K extends "params" | "query" | "body", Side extends "input" | "output"> = Contracts[R][K] extends z.ZodType
  ? Fields<Side extends "input" ? z.input<Contracts[R][K]> : z.output<Contracts[R][K]>>
  : Record<never, never>;

/** zod types an object without fields as one that forbids every field, which would forbid those of the other parts. */
type Fields<T> = T extends Record<string, never> ? Record<never, never> : T;

/** What a client passes to a route: parameters, query and body in one object. */
export type Input<R extends RouteName> = Part<R, "params", "input"> & QueryInput<R> & Part<R, "body", "input">;
/** What the daemon's handler receives, parsed. */
export type Parsed<R extends RouteName> = Part<R, "params", "output"> & Part<R, "query", "output"> & Part<R, "body", "output">;
export type Output<R extends RouteName> = z.output<Contracts[R]["answer"]>;

type QueryInput<R extends RouteName> = R extends "list"
  ? { readonly all?: boolean | undefined; readonly project_id?: string | undefined }
  : R extends "capture"
    ? { readonly history?: number | undefined }
    : R extends "wait"
      ? { readonly until?: WaitUntil | undefined; readonly timeout_ms?: number | undefined }
      : Record<never, never>;
