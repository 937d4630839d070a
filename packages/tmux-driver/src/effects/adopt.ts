import type { PaneIdentity } from "@tmpm/core";
import { requireTag } from "../create/create-spec.js";
import type { ServerContext } from "../server/server-context.js";
import type { Command } from "../transport/channel.js";
import { performEffect } from "./effect.js";

export interface Tags {
  readonly sessionId: string;
  /** As in `TmuxOptions`. */
  readonly home: string | null;
}

/** The commands that mark a pane as ours: user options of the pane, invisible to users and programs. */
export function tagging(target: string, { sessionId, home }: Tags): Command[] {
  const set = (option: string, value: string): Command => ["set-option", "-p", "-t", target, option, value];
  return [set("@tmpm_id", sessionId), ...(home === null ? [] : [set("@tmpm_home", home)])];
}

/** Tags an unowned pane; on our own server it also keeps its program's exit and last lines, as our panes do. Idempotent. @throws PANE_FOREIGN for another session's pane */
export async function adoptPane(context: ServerContext, pane: Tags & { readonly identity: PaneIdentity }): Promise<void> {
  requireTag(pane.sessionId, "sessionId");
  const { identity } = pane;
  await performEffect(context, {
    identity,
    demand: { adoptAs: pane.sessionId },
    commands: [...tagging(identity.pane_id, pane), ...(keepsExits(context) ? [keepingExit(identity)] : [])],
  });
}

/** Removes the tags, so that the pane is as before it was adopted. */
export async function releasePane(context: ServerContext, identity: PaneIdentity): Promise<void> {
  const unset = (option: string): Command => ["set-option", "-p", "-u", "-t", identity.pane_id, option];
  const kept = keepsExits(context) ? [unset("remain-on-exit")] : [];
  await performEffect(context, { identity, demand: "any", commands: [...kept, unset("@tmpm_home"), unset("@tmpm_id")] });
}

/** A user's own server is left as it is. */
function keepsExits({ keeper }: ServerContext): boolean {
  return keeper !== null;
}

function keepingExit({ pane_id }: PaneIdentity): Command {
  return ["set-option", "-p", "-t", pane_id, "remain-on-exit", "on"];
}
