import { resolve } from "node:path";
import type { HealthAnswer } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { workingDirectory } from "../input/working-directory.js";
import { usageError } from "../parse/usage-error.js";

type Env = Readonly<Record<string, string | undefined>>;

/** The address for the daemon to listen on in addition to its socket. */
export interface ListenRequest {
  readonly listen?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
}

/** The environment of a daemon that listens there; the daemon validates it. File paths are the caller's, so they become absolute. */
export function listenEnv(env: Env, { listen, tlsCert, tlsKey }: ListenRequest): Env {
  const path = (file: string) => resolve(workingDirectory(), file);
  return {
    ...env,
    ...(listen === undefined ? {} : { TMPM_LISTEN: listen }),
    ...(tlsCert === undefined ? {} : { TMPM_TLS_CERT: path(tlsCert) }),
    ...(tlsKey === undefined ? {} : { TMPM_TLS_KEY: path(tlsKey) }),
  };
}

/** @throws LISTEN_FAILED when a running daemon listens elsewhere */
export function checkListening({ listen }: ListenRequest, { listening = [] }: HealthAnswer): void {
  if (listen === undefined || listening.some((url) => isAt(url, listen))) return;
  throw new TmpmError(
    "LISTEN_FAILED",
    `the daemon is already running and listens ${listening.length === 0 ? "on its socket only" : `at ${listening.join(", ")}`}`,
    {
      hint: `Restart it: tmpm daemon restart --listen ${listen}`,
    },
  );
}

/**
 * Plain HTTP only: the daemon does not report the files of its certificate. The next daemon itself reads the configuration file and the door opened by
 * `tmpm web`.
 */
export function sameListening({ listening = [], listening_by }: HealthAnswer): ListenRequest {
  const [url] = listening_by === "file" || listening_by === "web" ? [] : listening;
  return url?.startsWith("http://") === true ? { listen: url.slice("http://".length) } : {};
}

/** @throws INVALID_ARGUMENT for options that apply only when starting a daemon */
export function refuseListening({ listen, tlsCert, tlsKey }: ListenRequest): void {
  if (listen !== undefined || tlsCert !== undefined || tlsKey !== undefined)
    throw usageError("--listen, --tls-cert and --tls-key apply to start, restart, run and install only", "See `tmpm daemon --help`.");
}

function isAt(url: string, listen: string): boolean {
  return url.endsWith(`//${listen}`) || (listen.endsWith(":0") && url.includes(`//${listen.slice(0, -1)}`));
}
