import { join } from "node:path";
import type { Location } from "@tmpm/api/local";
import { type SdkHost, sdkHost } from "@tmpm/sdk-driver";
import { programPath } from "./programs/program-path.js";

export interface AgentsOptions {
  readonly location: Pick<Location, "home">;
  readonly env: NodeJS.ProcessEnv;
  /** How what this home creates is tagged. */
  readonly homeTag: string;
  readonly version: string;
}

/** Agents that tmpm speaks with. The folder's name is short, for a socket's path is. */
export function spokenAgents({ location, env, homeTag, version }: AgentsOptions): SdkHost {
  return sdkHost({ base: join(location.home, "run", "sdk"), entry: programPath("sdk-holder"), env, home: homeTag, version });
}
