import { type Client, client } from "@tmpm/api/client";
import { currentSession, currentTransport } from "@tmpm/api/local";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";

export interface Speaking {
  readonly client: Client;
  /** The session that speaks. */
  readonly session: string;
}

/** In whose name something is said: the session that a person names, else the one in which the command runs, with its own token. @throws a usage error outside of any */
export function speakingAs(named: string | undefined, context: Context): Speaking {
  if (named !== undefined) return { client: context.client(), session: named };
  const env = context.settled();
  const own = currentSession(env);
  if (own === null) throw usageError("not in a session", "Name the session with --session.");
  const transport = currentTransport({ ...env, TMPM_AS_SESSION: "1" });
  return { client: client({ transport, version: context.version }), session: own.id };
}
