import type { PaneIdentity } from "@tmpm/core";
import { capabilitiesOf } from "../capabilities.js";
import { findServer } from "../observe/find.js";
import type { ServerContext } from "../server/server-context.js";
import type { Command } from "../transport/channel.js";
import { performEffect } from "./effect.js";
import { requireShortLines } from "./line-limit.js";

/** Loads the text into a separate buffer and pastes it, in one step of the server. */
export async function pasteText(
  context: ServerContext,
  { identity, text }: { readonly identity: PaneIdentity; readonly text: string },
): Promise<void> {
  await requireShortLines(context, { identity, text });
  const buffer = `tmpm-${context.nonce()}`;
  const raw = (await canPasteRaw(context, identity)) ? ["-S"] : [];
  const paste: Command = ["paste-buffer", "-p", "-r", ...raw, "-d", "-b", buffer, "-t", identity.pane_id];
  await performEffect(context, {
    identity,
    demand: "input",
    before: [["load-buffer", "-b", buffer, "-"]],
    commands: [paste],
    otherwise: [["delete-buffer", "-b", buffer]],
    input: text,
  });
}

/** A missing server is handled by the guard. */
async function canPasteRaw(context: ServerContext, identity: PaneIdentity): Promise<boolean> {
  if (context.known.versionOf(identity) === null) {
    const answer = await findServer(context);
    if (answer.kind === "unknown") throw answer.error;
  }
  const version = context.known.versionOf(identity);
  return version !== null && capabilitiesOf(version).pasteRaw;
}
