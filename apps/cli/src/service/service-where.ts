import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { currentUid, type Location } from "@tmpm/api/local";

type Env = Readonly<Record<string, string | undefined>>;

/** Whose service it is, and of which data folder. */
export interface ServiceWhere {
  readonly env: Env;
  readonly userHome: string;
  /** A name, or the user's number where nobody says the name. */
  readonly user: string;
  readonly uid: number;
  /** Tells the services of several data folders apart; null for the one that needs no `TMPM_HOME`. */
  readonly tag: string | null;
}

export function serviceWhere({ env, location }: { readonly env: Env; readonly location: Location }): ServiceWhere {
  const uid = currentUid();
  return {
    env,
    userHome: env.HOME || homedir(),
    user: env.USER || env.LOGNAME || String(uid),
    uid,
    tag: env.TMPM_HOME ? createHash("sha256").update(location.home).digest("hex").slice(0, 8) : null,
  };
}
