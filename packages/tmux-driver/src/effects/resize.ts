import { type PaneIdentity, TmpmError } from "@tmpm/core";
import type { PaneSize } from "../driver.js";
import type { ServerContext } from "../server/server-context.js";
import type { Command } from "../transport/channel.js";
import { performEffect } from "./effect.js";

/** tmux's own limit. */
const MOST = 10_000;

/** Resizes the window created for the pane. A user's window, also one that the pane was moved into, keeps its size. */
export async function resizeWindow(
  context: ServerContext,
  { identity, size }: { readonly identity: PaneIdentity; readonly size: PaneSize | null },
): Promise<void> {
  requireSize(size);
  const pane = identity.pane_id;
  // `resize-window` makes the size manual; without the option the window follows its clients again.
  const change: Command =
    size === null
      ? ["set-option", "-w", "-u", "-t", pane, "window-size"]
      : ["resize-window", "-t", pane, "-x", String(size.columns), "-y", String(size.rows)];
  await performEffect(context, { identity, demand: "own", commands: [change] });
}

/** @throws INVALID_ARGUMENT */
export function requireSize(size: PaneSize | null): void {
  if (size === null) return;
  for (const field of ["columns", "rows"] as const) {
    if (Number.isInteger(size[field]) && size[field] >= 1 && size[field] <= MOST) continue;
    throw new TmpmError("INVALID_ARGUMENT", `a pane has 1 to ${MOST} ${field}`, { details: { field } });
  }
}
