import { type Client, client } from "@tmpm/api/client";
import { currentSession, currentTransport } from "@tmpm/api/local";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";

export interface Speaking {
  readonly client: Client;
  readonly session: string;
}

/**
 * The acting session: the one given, else the surrounding one with its own token. @throws a usage error outside a session
 */
export function speakingAs(named: string | undefined, context: Context): Speaking {
  if (named !== undefined) return { client: context.client(), session: named };
  const env = context.settled();
  const own = currentSession(env);
  if (own === null) throw usageError("not in a session", "Name the session with --session.");
  const transport = currentTransport({ ...env, TMPM_AS_SESSION: "1" });
  return { client: client({ transport, version: context.version }), session: own.id };
}
