import { join } from "node:path";
import type { Location } from "@tmpm/api/local";
import { type SdkHost, sdkHost } from "@tmpm/sdk-driver";
import { programPath } from "../programs/program-path.js";

export interface AgentsOptions {
  readonly location: Pick<Location, "home">;
  readonly env: NodeJS.ProcessEnv;
  /** The tag of everything that this home creates. */
  readonly homeTag: string;
  readonly version: string;
}

/** Protocol (ACP) agents. The folder's name is short because socket paths are limited. */
export function protocolAgents({ location, env, homeTag, version }: AgentsOptions): SdkHost {
  return sdkHost({ base: join(location.home, "run", "sdk"), entry: programPath("sdk-holder"), env, home: homeTag, version });
}
