import { type PaneIdentity, TmpmError, withEffect } from "@tmpm/core";
import { tmuxName } from "../create/tmux-name.js";
import { findPane, listPanes } from "../observe/find.js";
import type { ServerContext } from "../server/server-context.js";
import type { Command } from "../transport/channel.js";
import { performEffect } from "./effect.js";
import { notOwnSession, OWN_SESSION } from "./guard.js";

/** Renames the tmux session created for the pane. A user's session, also one that the pane was moved into, keeps its name. */
export async function renameSession(
  context: ServerContext,
  { identity, name: wanted }: { readonly identity: PaneIdentity; readonly name: string },
): Promise<void> {
  const name = tmuxName(wanted);
  const rename: Command = ["if-shell", "-F", "-t", identity.pane_id, OWN_SESSION, `rename-session -t ${identity.pane_id} ${name}`, ""];
  await performEffect(context, { identity, demand: "any", commands: [rename] });
  const after = await findPane(context, identity);
  if (after.kind === "unknown") throw withEffect(after.error, "unknown");
  if (after.kind === "present" && after.value.tmuxName !== name) throw await whyNot(context, { identity, name });
}

/** Within `if-shell`, tmux does not report a failed command. */
async function whyNot(
  context: ServerContext,
  { identity, name }: { readonly identity: PaneIdentity; readonly name: string },
): Promise<TmpmError> {
  const all = await listPanes(context);
  const taken = all.kind === "present" && all.value.some((pane) => pane.tmuxName === name);
  return taken ? nameTaken(name) : notOwnSession(identity);
}

export function nameTaken(name: string): TmpmError {
  return new TmpmError("NAME_TAKEN", `tmux already has a session named ${name}`, { details: { tmux_name: name } });
}
