import type { FleetList } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core/errors";

export interface FollowOthersOptions {
  readonly client: Pick<Client, "nodes" | "fleet">;
  readonly listed: (list: Pick<FleetList, "nodes" | "sessions">) => void;
  /** The daemon answers, but cannot list them. */
  readonly unlisted: (reason: string) => void;
  /** Whether the page is in view, and the daemon answers. */
  readonly isWatched: () => boolean;
  /** Resolves after the given number of ms, or sooner when a retry is worthwhile; false ends it. */
  readonly pause: (ms: number) => Promise<boolean>;
}

const AGAIN_MS = 10_000;
/** Polling interval while there are no other machines, in ms. */
const ANY_MS = 60_000;

/** Lists the sessions of other machines periodically, because their events stay with their own daemons. */
export async function followOthers({ client, listed, unlisted, isWatched, pause }: FollowOthersOptions): Promise<void> {
  let hasNodes = false;
  do {
    if (!isWatched()) continue;
    try {
      const { nodes } = await client.nodes();
      hasNodes = nodes.length > 0;
      listed(hasNodes ? await client.fleet({ node: nodes.map(({ label }) => label) }) : { nodes: [], sessions: [] });
    } catch (error) {
      if (!isTmpmError(error)) throw error;
      // The page itself shows that the daemon does not answer; the last list is then as old as everything else.
      if (error.code !== "DAEMON_UNREACHABLE") unlisted(error.message);
    }
  } while (await pause(hasNodes ? AGAIN_MS : ANY_MS));
}
