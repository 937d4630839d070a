import { isAbsolute, join } from "node:path";
import type { Location } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";
import { directoryStore, type SessionStore, singleFileStore } from "@tmpm/store";

export interface RecordsPlace {
  readonly location: Location;
  readonly env: NodeJS.ProcessEnv;
  /** The tmux server of the program that shares the file. */
  readonly socket: string;
  readonly readOnly?: boolean;
}

/** Another program also writes the records. */
export function isSharedStore(env: NodeJS.ProcessEnv): boolean {
  return env.TMPM_STORE_LAYOUT === "single-file";
}

/** The record store at the configured path and layout. Does not read anything yet. @throws INVALID_ARGUMENT for a path that is not absolute */
export function sessionStore({ location, env, socket, readOnly = false }: RecordsPlace): SessionStore {
  if (!isSharedStore(env)) return directoryStore({ base: join(location.home, "sessions"), readOnly });
  return singleFileStore({ path: sessionsFile(env), socket, readOnly });
}

function sessionsFile(env: NodeJS.ProcessEnv): string {
  const { TMPM_STORE_PATH: path, HOME: home = "" } = env;
  const chosen = path === undefined || path === "" ? join(home, ".trusty-mpm", "session-manager", "sessions.json") : path;
  if (isAbsolute(chosen)) return chosen;
  throw new TmpmError("INVALID_ARGUMENT", `store.path must be an absolute path, not ${JSON.stringify(chosen)}`, {
    details: { field: "store.path" },
    hint: "`tmpm config set store.path /…/sessions.json` sets it.",
  });
}
