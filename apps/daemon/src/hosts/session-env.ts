import type { Location } from "@tmpm/api/local";

/** Variables that sessions inherit from the daemon; all others, above all secrets, are not passed (reliability C15). */
const INHERITED = /^(HOME|PATH|SHELL|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|SSH_AUTH_SOCK|XDG_[A-Z_]+)$/;

/** The environment of every session: the user's basic variables, and the address of this daemon for programs in the session. */
export function sessionEnv({ env, location }: { readonly env: NodeJS.ProcessEnv; readonly location: Location }): Record<string, string> {
  const inherited = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && INHERITED.test(entry[0]));
  return { ...Object.fromEntries(inherited), TMPM_SOCKET: location.socket };
}
