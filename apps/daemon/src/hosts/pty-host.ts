import { join } from "node:path";
import type { Location } from "@tmpm/api/local";
import { type PtyDriver, ptyDriver } from "@tmpm/pty-driver";
import { programPath } from "../programs/program-path.js";

export interface PtyHostOptions {
  readonly location: Pick<Location, "home">;
  readonly env: NodeJS.ProcessEnv;
  /** The tag of this home's terminals. */
  readonly homeTag: string;
}

/**
 * PTYs held by tmpm. Exists also without node-pty: it then reports that, and still recognizes its own terminals. The folder's name is short because
 * socket paths are limited.
 */
export function ptyHost({ location, env, homeTag }: PtyHostOptions): PtyDriver {
  const programs = { entry: programPath("pty-holder"), attach: programPath("pty-attach") };
  return ptyDriver({ base: join(location.home, "run", "pty"), ...programs, env, home: homeTag });
}
