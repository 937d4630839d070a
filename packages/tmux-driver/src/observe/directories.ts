import type { PaneIdentity } from "@tmpm/core";
import { isGeneration, type ObserveContext } from "../server/server-context.js";
import { glanceOnce } from "./observe-server.js";

/** The working directories of the panes' programs, in the order of the identities; null when unknown. */
export async function paneDirectories(context: ObserveContext, identities: readonly PaneIdentity[]): Promise<readonly (string | null)[]> {
  const seen = await glanceOnce(context, ({ text }) =>
    identities.map(({ pane_id }) => ["display-message", "-p", "-t", pane_id, `${text}#{pane_current_path}`]),
  );
  if (seen.kind !== "seen") return identities.map(() => null);
  return identities.map((identity, index) => {
    const path = seen.texts[index] ?? "";
    return identity.socket === context.socket && isGeneration(seen.rows.server, identity) && path.startsWith("/") ? path : null;
  });
}
