import { resolve } from "node:path";
import type { HealthAnswer } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { workingDirectory } from "../input/working-directory.js";
import { usageError } from "../parse/usage-error.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Where the daemon is to listen beside its socket. */
export interface ListenRequest {
  readonly listen?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
}

/** The environment of a daemon that listens there; it checks what it is given. Files are the caller's, so their paths become absolute. */
export function listenEnv(env: Env, { listen, tlsCert, tlsKey }: ListenRequest): Env {
  const path = (file: string) => resolve(workingDirectory(), file);
  return {
    ...env,
    ...(listen === undefined ? {} : { TMPM_LISTEN: listen }),
    ...(tlsCert === undefined ? {} : { TMPM_TLS_CERT: path(tlsCert) }),
    ...(tlsKey === undefined ? {} : { TMPM_TLS_KEY: path(tlsKey) }),
  };
}

/** @throws LISTEN_FAILED when a daemon that ran already listens somewhere else */
export function checkListening({ listen }: ListenRequest, { listening = [] }: HealthAnswer): void {
  if (listen === undefined || listening.some((url) => isAt(url, listen))) return;
  throw new TmpmError(
    "LISTEN_FAILED",
    `the daemon runs already, and listens ${listening.length === 0 ? "on its socket only" : `at ${listening.join(", ")}`}`,
    {
      hint: `Start it anew: tmpm daemon restart --listen ${listen}`,
    },
  );
}

/** Plain HTTP only: where the files of a certificate are, the daemon does not tell. What the configuration file says, and what `tmpm web` opened, the next daemon knows by itself. */
export function sameListening({ listening = [], listening_by }: HealthAnswer): ListenRequest {
  const [url] = listening_by === "file" || listening_by === "web" ? [] : listening;
  return url?.startsWith("http://") === true ? { listen: url.slice("http://".length) } : {};
}

/** @throws INVALID_ARGUMENT with options that only a daemon which is started can follow */
export function refuseListening({ listen, tlsCert, tlsKey }: ListenRequest): void {
  if (listen !== undefined || tlsCert !== undefined || tlsKey !== undefined)
    throw usageError("--listen, --tls-cert and --tls-key go with start, restart, run and install", "See `tmpm daemon --help`.");
}

function isAt(url: string, listen: string): boolean {
  return url.endsWith(`//${listen}`) || (listen.endsWith(":0") && url.includes(`//${listen.slice(0, -1)}`));
}
