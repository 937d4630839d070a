import { realpathSync } from "node:fs";
import type { Output } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";
import { attachTerminal } from "./terminal.js";

interface Target {
  readonly session: string;
  readonly readOnly?: boolean;
  readonly resize?: boolean;
  readonly context: Context;
}

/**
 * Attaches this terminal until it is detached or the session ends. A terminal inside the same tmux server switches to the session instead. Returns the
 * exit status.
 */
export async function attachTo(client: Client, { session, readOnly = false, resize = false, context }: Target): Promise<number> {
  const { env, node } = context;
  if (node !== null) {
    const { nodeAttach } = await import("../fleet/node-attach.js");
    return nodeAttach(client, { session, readOnly, resize, context, node });
  }
  const answer = await client.attach({
    session,
    read_only: readOnly || undefined,
    resize: resize || undefined,
    true_color: /^(?:truecolor|24bit)$/.test(env.COLORTERM ?? "") || undefined,
  });
  // Attached to itself it would recurse indefinitely.
  if (readOnly && env.TMPM_SESSION_ID === answer.session.id)
    throw usageError("this terminal is in that session", "Watch it from another terminal.");
  return attachTerminal(answer, { env, within: withinOf(answer, env) });
}

/** The command that switches a terminal inside the session's own tmux server to it; null for any other. */
export function withinOf({ within = null }: Pick<Output<"attach">, "within">, { TMUX }: Context["env"]): readonly string[] | null {
  const [socket = ""] = TMUX?.split(",", 1) ?? [];
  return within !== null && socket !== "" && real(socket) === real(within.socket) ? within.argv : null;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    // The server has ended, or belongs to another user: the name decides.
    if (error instanceof Error && "code" in error) return path;
    throw error;
  }
}
