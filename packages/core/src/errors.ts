/**
 * Every failure that a caller can act on. The only list: HTTP statuses, exit codes and docs/errors.md derive from it.
 * `exit` follows DESIGN: 1 failed, 2 usage, 3 not found, 4 conflict or state, 5 the caller's timeout,
 * 6 tmux or the daemon does not answer, 7 sent but not confirmed.
 */
export const ERRORS = {
  INVALID_ARGUMENT: { http: 400, exit: 2, title: "The request is malformed" },
  INVALID_TEXT: { http: 400, exit: 2, title: "The text cannot be sent to a terminal" },
  TEXT_TOO_LARGE: { http: 413, exit: 2, title: "The text is larger than a session accepts" },
  UPLOAD_TOO_LARGE: { http: 413, exit: 2, title: "The files exceed a size or count limit" },
  AGENT_UNKNOWN: { http: 400, exit: 2, title: "Unknown agent" },
  SOCKET_PATH_TOO_LONG: { http: 400, exit: 2, title: "The socket path is too long for a unix socket" },
  LISTEN_REFUSED: { http: 400, exit: 2, title: "The daemon may not listen on this address" },
  CONFIG_INVALID: { http: 422, exit: 2, title: "The configuration is invalid" },
  ROUTE_NOT_FOUND: { http: 404, exit: 2, title: "No such route" },
  MEDIA_TYPE_UNSUPPORTED: { http: 415, exit: 2, title: "The daemon does not read this type of body" },
  METHOD_NOT_ALLOWED: { http: 405, exit: 2, title: "Method not allowed" },
  PROJECT_NOT_FOUND: { http: 404, exit: 3, title: "No such project" },
  SESSION_NOT_FOUND: { http: 404, exit: 3, title: "No such session" },
  SEND_NOT_FOUND: { http: 404, exit: 3, title: "No such send" },
  OPERATION_NOT_FOUND: { http: 404, exit: 3, title: "No such background operation" },
  QUESTION_NOT_FOUND: { http: 404, exit: 3, title: "No such question" },
  GROUP_NOT_FOUND: { http: 404, exit: 3, title: "No such group" },
  COMMENT_NOT_FOUND: { http: 404, exit: 3, title: "No such comment" },
  UPLOAD_NOT_FOUND: { http: 404, exit: 3, title: "No such upload" },
  PULL_REQUEST_NOT_FOUND: { http: 404, exit: 3, title: "No pull request" },
  TOKEN_NOT_FOUND: { http: 404, exit: 3, title: "No such token" },
  NODE_NOT_FOUND: { http: 404, exit: 3, title: "No such node" },
  TURN_NOT_FOUND: { http: 404, exit: 3, title: "No such turn" },
  DIRECTORY_NOT_FOUND: { http: 422, exit: 3, title: "The directory does not exist" },
  FILE_NOT_FOUND: { http: 422, exit: 3, title: "The file does not exist" },
  AGENT_NOT_INSTALLED: { http: 422, exit: 3, title: "The agent's program is not installed" },
  REPOSITORY_NOT_FOUND: { http: 422, exit: 3, title: "No git repository found" },
  NOTHING_TO_UNDO: { http: 404, exit: 3, title: "No removed session can be restored" },
  WORKSPACE_GONE: { http: 409, exit: 3, title: "The workspace is no longer in the trash" },
  SESSION_AMBIGUOUS: { http: 409, exit: 4, title: "More than one session matches" },
  SESSION_LIMIT: { http: 409, exit: 4, title: "The maximum number of sessions is running" },
  SESSION_NOT_OWNED: { http: 403, exit: 4, title: "The session belongs to another client" },
  ISSUE_TAKEN: { http: 409, exit: 4, title: "Another session works on the issue" },
  GRANT_REFUSED: { http: 403, exit: 4, title: "The session's grant does not allow this" },
  RIGHTS_EXCEEDED: { http: 403, exit: 4, title: "A session cannot give rights that it lacks" },
  LINEAGE_LIMIT: { http: 409, exit: 4, title: "A limit of the session's grant is reached" },
  CAUSATION_REFUSED: { http: 409, exit: 4, title: "The send would continue a loop between sessions" },
  NAME_TAKEN: { http: 409, exit: 4, title: "The name is in use" },
  ALREADY_MANAGED: { http: 409, exit: 4, title: "The terminal already belongs to a session" },
  TARGET_EXISTS: { http: 409, exit: 4, title: "The path already exists" },
  BRANCH_IN_USE: { http: 409, exit: 4, title: "The branch is checked out elsewhere" },
  WORKSPACE_REFUSED: { http: 409, exit: 4, title: "The workspace was left unchanged" },
  FINISH_REFUSED: { http: 409, exit: 4, title: "The target branch was not moved" },
  INVALID_STATE: { http: 409, exit: 4, title: "Not allowed in the session's state" },
  TURN_NOT_ACTIVE: { http: 409, exit: 4, title: "The turn is not active" },
  QUESTION_LIMIT: { http: 429, exit: 4, title: "The session has too many open questions" },
  QUEUE_FULL: { http: 429, exit: 4, title: "Too many prompts are queued for the session" },
  HOST_CANNOT: { http: 409, exit: 4, title: "The session's host does not support this" },
  SESSION_BLOCKED: { http: 409, exit: 4, title: "The session shows a dialog that must be answered first" },
  DECISION_GONE: { http: 409, exit: 4, title: "The question is no longer pending" },
  TOKEN_REFUSED: { http: 403, exit: 4, title: "The token is not valid for this session" },
  SCOPE_REFUSED: { http: 403, exit: 4, title: "The token does not allow this" },
  UNAUTHENTICATED: { http: 401, exit: 4, title: "A valid token is required" },
  ORIGIN_REFUSED: { http: 403, exit: 4, title: "Requests from this web page are refused" },
  HOST_REFUSED: { http: 421, exit: 4, title: "Unknown host name" },
  RATE_LIMITED: { http: 429, exit: 4, title: "Too many failed authentications" },
  PANE_IN_MODE: { http: 409, exit: 4, title: "The session is scrolled in tmux's copy mode" },
  PANE_DEAD: { http: 409, exit: 4, title: "The session's program has ended" },
  PANE_GONE: { http: 409, exit: 4, title: "The session's terminal is gone" },
  PANE_FOREIGN: { http: 409, exit: 4, title: "The terminal no longer belongs to the session" },
  LINE_TOO_LONG: { http: 409, exit: 4, title: "The program reads whole lines and would truncate this one" },
  IDEMPOTENCY_MISMATCH: { http: 409, exit: 4, title: "The idempotency key was used for another request" },
  REV_CONFLICT: { http: 409, exit: 4, title: "The record has changed since" },
  RECORD_DAMAGED: { http: 409, exit: 4, title: "The session's record cannot be read" },
  RECORD_UNSUPPORTED: { http: 409, exit: 4, title: "A stored file was written by a newer tmpm, or is damaged" },
  DAEMON_RUNNING: { http: 409, exit: 4, title: "Another daemon owns this data folder" },
  LISTEN_FAILED: { http: 503, exit: 1, title: "The daemon cannot listen on this address" },
  SETUP_FAILED: { http: 422, exit: 1, title: "The set-up of the workspace failed" },
  LAUNCH_FAILED: { http: 422, exit: 1, title: "The program exited immediately" },
  USAGE_LIMIT: { http: 502, exit: 1, title: "The agent has reached a usage limit of the model's API" },
  AGENT_FAILED: { http: 502, exit: 1, title: "The agent's turn failed" },
  GIT_FAILED: { http: 502, exit: 1, title: "git failed or did not answer" },
  FORGE_FAILED: { http: 502, exit: 1, title: "The repository's host failed or did not answer" },
  SURVIVORS: { http: 500, exit: 1, title: "Some processes did not end" },
  NOTIFY_FAILED: { http: 502, exit: 1, title: "A notification was not delivered" },
  STORE_DEGRADED: { http: 503, exit: 1, title: "The records cannot be read, so none is written" },
  STORE_READ_ONLY: { http: 503, exit: 1, title: "The data folder is not writable" },
  STORAGE_FULL: { http: 507, exit: 1, title: "The disk is full" },
  UNSAFE_PATH: { http: 422, exit: 1, title: "A path is not private enough to be used" },
  RESOURCE_EXHAUSTED: { http: 503, exit: 1, title: "The machine is out of file descriptors, processes or memory" },
  INTERNAL: { http: 500, exit: 1, title: "Internal error in tmpm" },
  TIMEOUT: { http: 408, exit: 5, title: "The timeout ran out" },
  UNRESPONSIVE: { http: 504, exit: 6, title: "A program or a disk does not answer" },
  HOST_UNAVAILABLE: { http: 503, exit: 6, title: "The session's host is not available on this machine" },
  TMUX_NOT_FOUND: { http: 503, exit: 6, title: "tmux is not installed" },
  TMUX_TOO_OLD: { http: 503, exit: 6, title: "tmux is too old" },
  TMUX_UNRESPONSIVE: { http: 504, exit: 6, title: "tmux does not answer" },
  TMUX_FAILED: { http: 502, exit: 6, title: "tmux refused a command" },
  DAEMON_UNREACHABLE: { http: 503, exit: 6, title: "The daemon does not answer" },
  DAEMON_VERSION: { http: 426, exit: 6, title: "The daemon runs another version of tmpm" },
  NODE_OFFLINE: { http: 503, exit: 6, title: "The node does not answer" },
  NOT_READY: { http: 503, exit: 6, title: "The daemon is not ready" },
  OVERLOADED: { http: 503, exit: 6, title: "The daemon is overloaded" },
  SHUTTING_DOWN: { http: 503, exit: 6, title: "The daemon is stopping" },
  PREREQUISITE_MISSING: { http: 503, exit: 6, title: "A required program is missing or too old" },
  REQUEST_INTERRUPTED: {
    http: 409,
    exit: 6,
    title: "The daemon ended during the request, or the request stored for its key is unreadable or of a newer tmpm",
  },
  UNCONFIRMED: { http: 200, exit: 7, title: "Sent, but not confirmed" },
} as const satisfies Record<string, { http: number; exit: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Whether the failed request may have had its effect. Only `none` may be retried without asking. */
export type Effect = "none" | "unknown";

export interface ErrorDetail {
  readonly effect?: Effect;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The serialized error: in the API's envelope, in `--json`, in a record's `last_error`. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | null;
  readonly effect: Effect;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The one error class. Callers branch on `code`, never on `message`. */
export class TmpmError extends Error {
  override readonly name = "TmpmError";
  readonly code: ErrorCode;
  readonly effect: Effect;
  readonly hint: string | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.effect = detail.effect ?? "none";
    this.hint = detail.hint ?? null;
    this.details = detail.details ?? {};
  }
}

/** Also true for another copy of this package, as in two bundles. */
export function isTmpmError(error: unknown): error is TmpmError {
  return error instanceof Error && error.name === "TmpmError";
}

export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is TmpmError {
  return isTmpmError(error) && codes.includes(error.code);
}

export function toErrorBody(error: TmpmError): ErrorBody {
  const { code, message, hint, effect, details } = error;
  return { code, message, hint, effect, details };
}

/** The same error with another effect; any other value unchanged. */
export function withEffect(error: TmpmError, effect: Effect): TmpmError;
export function withEffect(error: unknown, effect: Effect): unknown;
export function withEffect(error: unknown, effect: Effect): unknown {
  if (!isTmpmError(error) || error.effect === effect) return error;
  const { code, message, hint, details } = error;
  return new TmpmError(code, message, { effect, details, cause: error, ...(hint === null ? {} : { hint }) });
}

/** The error described by a body; an unknown code becomes INTERNAL and is kept in the details. */
export function fromErrorBody(body: ErrorBody): TmpmError {
  const known = Object.hasOwn(ERRORS, body.code);
  return new TmpmError(known ? body.code : "INTERNAL", body.message, {
    effect: body.effect === "none" ? "none" : "unknown",
    ...(body.hint === null || body.hint === undefined ? {} : { hint: body.hint }),
    details: known ? (body.details ?? {}) : { ...body.details, unknown_code: body.code },
  });
}
