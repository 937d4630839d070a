import { type Effect, TmpmError, visibleText } from "@tmpm/core";

/** Meanings of tmux's messages. The only place that reads them. */
export type RefusalKind =
  | "socket_missing"
  | "no_server"
  | "no_session"
  | "no_pane"
  | "duplicate_session"
  | "no_target"
  | "server_exited"
  | "too_long"
  | "no_terminal"
  | "version_skew"
  | "no_access"
  | "no_process";

export interface Refusal {
  readonly kind: RefusalKind;
  /** tmux's line, made printable. */
  readonly message: string;
}

/** Messages of tmux 3.2a to current, anchored: the content of a pane or a name cannot imitate one. */
const TABLE: readonly (readonly [RegExp, RefusalKind])[] = [
  [/^error connecting to .+ \(No such file or directory\)$/, "socket_missing"],
  [/^error connecting to .+ \(Connection refused\)$/, "no_server"],
  [/^no server running on .+$/, "no_server"],
  [/^error connecting to .+ \((?:Permission denied|Operation not permitted)\)$/, "no_access"],
  [/^error creating .+ \(.+\)$/, "no_access"],
  [/^couldn't create directory .+ \(.+\)$/, "no_access"],
  [/^directory .+ has unsafe permissions$/, "no_access"],
  [/^can't find session: .*$/, "no_session"],
  [/^can't find (?:pane|window): .*$/, "no_pane"],
  [/^duplicate session: .+$/, "duplicate_session"],
  [/^no current (?:target|session|client)$/, "no_target"],
  [/^(?:\[?server exited\]?|server exited unexpectedly|\[?lost server\]?)$/, "server_exited"],
  [/^(?:command too long|failed to send command)$/, "too_long"],
  [/^open terminal failed: .+$/, "no_terminal"],
  [/^protocol version mismatch \(client \d+, server \d+\)$/, "version_skew"],
  [/^(?:create (?:session|window|pane) failed: )?fork failed: .+$/, "no_process"],
];

/** The meaning of a tmux client's standard error; null for an unknown message. */
export function readRefusal(stderr: string): Refusal | null {
  for (const line of stderr.split("\n")) {
    const kind = TABLE.find(([pattern]) => pattern.test(line))?.[1];
    if (kind !== undefined) return { kind, message: visibleText(line).slice(0, 300) };
  }
  return null;
}

/** No tmux server listens on the socket. A missing socket file is weaker proof than a refused connection. */
export function isServerAbsent(refusal: Refusal): boolean {
  return refusal.kind === "socket_missing" || refusal.kind === "no_server";
}

/** The default error for a rejection. */
export function refusalError(refusal: Refusal): TmpmError {
  switch (refusal.kind) {
    case "no_process":
      return new TmpmError("RESOURCE_EXHAUSTED", `tmux cannot start a process: ${refusal.message}`);
    case "version_skew":
      return new TmpmError("TMUX_FAILED", `the tmux program and the running server differ in version: ${refusal.message}`, {
        hint: "Use the tmux that started the server, or end that server once its sessions are done.",
      });
    case "server_exited":
      return new TmpmError("TMUX_FAILED", `tmux: ${refusal.message}`, { effect: "unknown" });
    case "no_pane":
    case "no_session":
      return new TmpmError("PANE_GONE", `tmux: ${refusal.message}`);
    case "socket_missing":
    case "no_server":
      return new TmpmError("PANE_GONE", `no tmux server runs: ${refusal.message}`);
    default:
      return new TmpmError("TMUX_FAILED", `tmux: ${refusal.message}`);
  }
}

/** The error for an end of the client without a certain cause. */
export function unclearError(ending: {
  readonly stderr: string;
  readonly exitCode: number | undefined;
  readonly effect: Effect;
}): TmpmError {
  const words = visibleText(ending.stderr.trim()).slice(0, 300) || `no answer, status ${ending.exitCode ?? "none"}`;
  return new TmpmError("TMUX_FAILED", `tmux: ${words}`, { effect: ending.effect });
}

/** The error when starting the tmux program failed, by the system's error code. */
export function spawnError(code: string, program: string): TmpmError {
  switch (code) {
    case "ENOENT":
    case "EACCES":
      return new TmpmError("TMUX_NOT_FOUND", `cannot run ${visibleText(program)} (${code})`, { hint: "Install tmux 3.2a or newer." });
    case "EAGAIN":
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
      return new TmpmError("RESOURCE_EXHAUSTED", `cannot start tmux (${code})`);
    default:
      return new TmpmError("TMUX_FAILED", `cannot start tmux (${code})`);
  }
}

/** The server runs, but is unreachable. */
export function socketGone(pid: number): TmpmError {
  return new TmpmError("TMUX_UNRESPONSIVE", `the tmux server ${pid} runs, but its socket file is gone`, {
    effect: "none",
    hint: `\`kill -USR1 ${pid}\` makes it recreate its socket.`,
  });
}

export function unresponsive(why: string, effect: Effect): TmpmError {
  return new TmpmError("TMUX_UNRESPONSIVE", why, {
    effect,
    hint: "The tmux server may be stopped or overloaded; no conclusion was drawn from that.",
  });
}
