import type { PaneIdentity } from "@tmpm/core";
import { commandText } from "./argument.js";
import type { Command } from "./channel.js";
import { look } from "./look.js";
import { isGeneration, type ServerContext } from "./server-context.js";

/** The directories that the panes' programs work in, in the order of the identities; null where that cannot be told. */
export async function paneDirectories(context: ServerContext, identities: readonly PaneIdentity[]): Promise<readonly (string | null)[]> {
  const seen = await look(context, { rows: [], texts: identities.map(({ pane_id }) => whereThere(pane_id)) });
  if (seen.kind !== "seen") return identities.map(() => null);
  return identities.map((identity, index) => {
    const path = (seen.texts[index] ?? "").replace(/\n$/, "");
    return identity.socket === context.socket && isGeneration(seen.rows.server, identity) && path.startsWith("/") ? path : null;
  });
}

/** A target that is missing would end the whole command list. */
function whereThere(paneId: string): Command {
  return [
    "if-shell",
    "-F",
    "-t",
    paneId,
    `#{==:#{pane_id},${paneId}}`,
    commandText([["display-message", "-p", "-t", paneId, "#{pane_current_path}"]]),
  ];
}
