import type * as z from "zod";
import { AGENT_ROUTES } from "./contracts/agents.js";
import { AUDIT_ROUTES } from "./contracts/audit.js";
import type { Contract } from "./contracts/contract.js";
import { COUNT_ROUTES } from "./contracts/counts.js";
import { DAEMON_ROUTES } from "./contracts/daemon.js";
import { DECISION_ROUTES } from "./contracts/decisions.js";
import { DEVICE_ROUTES } from "./contracts/devices.js";
import { DIRECTORY_ROUTES } from "./contracts/directories.js";
import { DISCOVER_ROUTES } from "./contracts/discover.js";
import { EVENT_ROUTES } from "./contracts/events.js";
import { GROUP_ROUTES } from "./contracts/groups.js";
import { IMPORT_ROUTES } from "./contracts/import.js";
import { INPUT_ROUTES } from "./contracts/input.js";
import { LIFE_ROUTES } from "./contracts/life.js";
import { LIST_ROUTES } from "./contracts/list.js";
import { MESSAGE_ROUTES } from "./contracts/messages.js";
import { NODE_ROUTES } from "./contracts/nodes.js";
import { NOTIFY_ROUTES } from "./contracts/notify.js";
import { OPERATION_ROUTES } from "./contracts/operations.js";
import { OVERRIDE_ROUTES } from "./contracts/overrides.js";
import { PAUSE_ROUTES } from "./contracts/pause.js";
import { PROJECT_ROUTES } from "./contracts/projects.js";
import { PULL_REQUEST_ROUTES } from "./contracts/pull-request.js";
import { PUSH_ROUTES } from "./contracts/push.js";
import { RECORD_ROUTES } from "./contracts/record.js";
import { REVIEW_ROUTES } from "./contracts/review.js";
import { SCREEN_ROUTES } from "./contracts/screen.js";
import { STREAM_ROUTES } from "./contracts/stream.js";
import { TOKEN_ROUTES } from "./contracts/tokens.js";
import { TURN_ROUTES } from "./contracts/turns.js";
import { UPLOAD_ROUTES } from "./contracts/uploads.js";
import { USAGE_ROUTES } from "./contracts/usage.js";
import { WAIT_ROUTES } from "./contracts/wait.js";
import { WEB_ROUTES } from "./contracts/web.js";
import { WORKSPACE_ROUTES } from "./contracts/workspace.js";
import type { RouteName } from "./paths.js";

export * from "./contracts/agents.js";
export { ALIVE_MS } from "./contracts/alive.js";
export * from "./contracts/audit.js";
export type { Contract } from "./contracts/contract.js";
export * from "./contracts/counts.js";
export * from "./contracts/daemon.js";
export * from "./contracts/decisions.js";
export * from "./contracts/devices.js";
export * from "./contracts/directories.js";
export * from "./contracts/discover.js";
export * from "./contracts/error.js";
export * from "./contracts/errors-of.js";
export * from "./contracts/events.js";
export { FinishAnswer, FinishBody, FinishPlan } from "./contracts/finish.js";
export * from "./contracts/groups.js";
export * from "./contracts/import.js";
export * from "./contracts/input.js";
export * from "./contracts/life.js";
export * from "./contracts/list.js";
export * from "./contracts/messages.js";
export * from "./contracts/nodes.js";
export * from "./contracts/notify.js";
export * from "./contracts/operations.js";
export * from "./contracts/overrides.js";
export * from "./contracts/pause.js";
export * from "./contracts/projects.js";
export * from "./contracts/pull-request.js";
export * from "./contracts/push.js";
export * from "./contracts/record.js";
export * from "./contracts/review.js";
export * from "./contracts/screen.js";
export * from "./contracts/session.js";
export * from "./contracts/stream.js";
export * from "./contracts/tokens.js";
export * from "./contracts/turns.js";
export * from "./contracts/uploads.js";
export * from "./contracts/usage.js";
export * from "./contracts/wait.js";
export * from "./contracts/web.js";
export * from "./contracts/workspace.js";

/** Named part by part, because the inlined type exceeds the limit of a declaration file. */
type Contracts = typeof DAEMON_ROUTES &
  typeof AUDIT_ROUTES &
  typeof TOKEN_ROUTES &
  typeof WEB_ROUTES &
  typeof DEVICE_ROUTES &
  typeof PUSH_ROUTES &
  typeof DISCOVER_ROUTES &
  typeof EVENT_ROUTES &
  typeof IMPORT_ROUTES &
  typeof AGENT_ROUTES &
  typeof PROJECT_ROUTES &
  typeof LIST_ROUTES &
  typeof LIFE_ROUTES &
  typeof WORKSPACE_ROUTES &
  typeof REVIEW_ROUTES &
  typeof PULL_REQUEST_ROUTES &
  typeof GROUP_ROUTES &
  typeof PAUSE_ROUTES &
  typeof OPERATION_ROUTES &
  typeof RECORD_ROUTES &
  typeof OVERRIDE_ROUTES &
  typeof UPLOAD_ROUTES &
  typeof USAGE_ROUTES &
  typeof DIRECTORY_ROUTES &
  typeof COUNT_ROUTES &
  typeof NODE_ROUTES &
  typeof NOTIFY_ROUTES &
  typeof INPUT_ROUTES &
  typeof TURN_ROUTES &
  typeof SCREEN_ROUTES &
  typeof STREAM_ROUTES &
  typeof WAIT_ROUTES &
  typeof DECISION_ROUTES &
  typeof MESSAGE_ROUTES;

/** Every route with its input and response. */
export const CONTRACTS: Contracts = {
  ...DAEMON_ROUTES,
  ...AUDIT_ROUTES,
  ...TOKEN_ROUTES,
  ...WEB_ROUTES,
  ...DEVICE_ROUTES,
  ...PUSH_ROUTES,
  ...DISCOVER_ROUTES,
  ...EVENT_ROUTES,
  ...IMPORT_ROUTES,
  ...AGENT_ROUTES,
  ...PROJECT_ROUTES,
  ...LIST_ROUTES,
  ...LIFE_ROUTES,
  ...WORKSPACE_ROUTES,
  ...REVIEW_ROUTES,
  ...PULL_REQUEST_ROUTES,
  ...GROUP_ROUTES,
  ...PAUSE_ROUTES,
  ...OPERATION_ROUTES,
  ...RECORD_ROUTES,
  ...OVERRIDE_ROUTES,
  ...UPLOAD_ROUTES,
  ...USAGE_ROUTES,
  ...DIRECTORY_ROUTES,
  ...COUNT_ROUTES,
  ...NODE_ROUTES,
  ...NOTIFY_ROUTES,
  ...INPUT_ROUTES,
  ...TURN_ROUTES,
  ...SCREEN_ROUTES,
  ...STREAM_ROUTES,
  ...WAIT_ROUTES,
  ...DECISION_ROUTES,
  ...MESSAGE_ROUTES,
} satisfies Record<RouteName, Contract>;

type Part<R extends RouteName, K extends "params" | "query" | "body", Side extends "input" | "output"> = Contracts[R][K] extends z.ZodType
  ? Fields<Side extends "input" ? z.input<Contracts[R][K]> : z.output<Contracts[R][K]>>
  : Record<never, never>;

/** zod types an object without fields as one that forbids every field, which would also forbid the fields of the other parts. */
type Fields<T> = T extends Record<string, never> ? Record<never, never> : T;

type Side<R extends RouteName, S extends "input" | "output"> = Part<R, "params", S> & Part<R, "query", S> & Part<R, "body", S>;

/** A client's input of a route: parameters, query and body in one object. */
export type Input<R extends RouteName> = Side<R, "input">;
/** The parsed input of the daemon's handler; for a conditional route with the `rev` that the caller saw. */
export type Parsed<R extends RouteName> = Side<R, "output"> &
  (Contracts[R] extends { readonly conditional: true } ? { readonly rev?: number } : unknown);
export type Output<R extends RouteName> = z.output<Contracts[R]["answer"]>;
