import type { Location } from "@tmpm/api/local";

/** Variables that sessions inherit from the daemon; everything else, above all secrets, stays with the daemon (reliability C15). */
const INHERITED = /^(HOME|PATH|SHELL|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|SSH_AUTH_SOCK|XDG_[A-Z_]+)$/;

/** The environment of every session: the user's own basics, and where to reach this daemon from inside. */
export function sessionEnv({ env, location }: { readonly env: NodeJS.ProcessEnv; readonly location: Location }): Record<string, string> {
  const inherited = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && INHERITED.test(entry[0]));
  return { ...Object.fromEntries(inherited), TMPM_SOCKET: location.socket };
}
