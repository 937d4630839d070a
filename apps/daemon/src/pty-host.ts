import { join } from "node:path";
import type { Location } from "@tmpm/api/local";
import { type PtyDriver, ptyDriver } from "@tmpm/pty-driver";
import { programPath } from "./programs/program-path.js";

export interface PtyHostOptions {
  readonly location: Pick<Location, "home">;
  readonly env: NodeJS.ProcessEnv;
  /** How terminals of this home are tagged. */
  readonly homeTag: string;
}

/** PTYs that tmpm holds. There also where node-pty is missing: it says so, and knows which terminals would be its own. The folder's name is short, for a socket's path is. */
export function ptyHost({ location, env, homeTag }: PtyHostOptions): PtyDriver {
  const programs = { entry: programPath("pty-holder"), attach: programPath("pty-attach") };
  return ptyDriver({ base: join(location.home, "run", "pty"), ...programs, env, home: homeTag });
}
