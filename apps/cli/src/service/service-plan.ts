import { TmpmError } from "@tmpm/core";
import type { DaemonCommand } from "../daemon/daemon-program.js";

type Env = Readonly<Record<string, string | undefined>>;

/** The program and environment for a service manager; contains no secret. */
export interface ServicePlan {
  /** Absolute paths. */
  readonly command: DaemonCommand;
  readonly env: Readonly<Record<string, string>>;
}

/** A service starts with a minimal environment: without these variables it would find other programs and folders, and use a different locale than its user. */
const BASICS = /^(PATH|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMUX_TMPDIR|XDG_(CONFIG|STATE|DATA|CACHE)_HOME)$/;

/** Variables that are temporary, for tests, or secret. */
const NOT_KEPT: ReadonlySet<string> = new Set([
  "TMPM_DAEMON",
  "TMPM_FAILPOINT",
  "TMPM_SOURCE",
  "TMPM_TOKEN",
  "TMPM_SESSION_TOKEN",
  "TMPM_NOTIFY_WEBHOOK_URL",
]);

/** The plan for a daemon that would be started with this environment. @throws INVALID_ARGUMENT for text that a service file cannot contain */
export function servicePlan(command: DaemonCommand, env: Env): ServicePlan {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "" && isKept(entry[0]),
  );
  for (const text of [...command, ...kept.flat()]) refuseControls(text);
  return { command, env: Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function isKept(name: string): boolean {
  return BASICS.test(name) || (/^TMPM_[A-Z_]+$/.test(name) && !NOT_KEPT.has(name));
}

function refuseControls(text: string): void {
  if (!/[\p{Cc}]/u.test(text)) return;
  throw new TmpmError("INVALID_ARGUMENT", `a service cannot contain ${JSON.stringify(text.slice(0, 80))}: it has a control character`, {
    hint: "Unset the variable that contains it, then install again.",
  });
}
