import type { Client } from "@tmpm/api/client";
import type { Context } from "../context.js";

interface Target {
  readonly session: string;
  readonly readOnly: boolean;
  readonly resize: boolean;
  readonly context: Context;
  readonly node: string;
}

/**
 * Shows a node's session in this terminal until it is detached or ends: with `tmpm attach` on the node over the user's ssh, or through its stream.
 * Returns the exit status.
 */
export async function nodeAttach(client: Client, { session, readOnly, resize, context, node }: Target): Promise<number> {
  const { id, name } = await client.show({ session });
  const { ssh, nats } = await context.at(null).client().node({ node });
  const address = `${node}:${name}`;
  if (nats === null) {
    const { sshAttach } = await import("./ssh-attach.js");
    return sshAttach(ssh, { id, address, node, readOnly, resize, env: context.env });
  }
  const { streamAttach } = await import("./stream-attach.js");
  const terminal = await context.terminal(id);
  return streamAttach(terminal, { name: address, readOnly, takeOver: resize, stdin: process.stdin, stdout: process.stdout });
}
