import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { currentUid, type Location } from "@tmpm/api/local";

type Env = Readonly<Record<string, string | undefined>>;

/** The service's user and data folder. */
export interface ServiceWhere {
  readonly env: Env;
  readonly userHome: string;
  /** A name, or the numeric id if the name is unknown. */
  readonly user: string;
  readonly uid: number;
  /** Distinguishes the services of several data folders; null for the default one. */
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
