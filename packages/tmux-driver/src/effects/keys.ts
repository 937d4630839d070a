import { keyNames, type PaneIdentity } from "@tmpm/core";
import type { ServerContext } from "../server/server-context.js";
import { performEffect } from "./effect.js";

export async function pressKeys(
  context: ServerContext,
  { identity, keys }: { readonly identity: PaneIdentity; readonly keys: readonly string[] },
): Promise<void> {
  const names = keyNames(keys);
  await performEffect(context, { identity, demand: "input", commands: [["send-keys", "-t", identity.pane_id, "--", ...names]] });
}
