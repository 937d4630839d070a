import type { NodeAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import type { Context } from "../context.js";

interface Target {
  readonly session: string;
  readonly readOnly: boolean;
  readonly resize: boolean;
  readonly context: Context;
  readonly node: string;
}

const SERVES = /\bnode --stdio\s*$/;

/** Shows a node's session in this terminal until it is detached or ends: by `tmpm attach` there, over the user's ssh, or by its stream. Returns the exit status. */
export async function nodeAttach(client: Client, { session, readOnly, resize, context, node }: Target): Promise<number> {
  const { id, name } = await client.show({ session });
  const { ssh, nats } = await context.at(null).client().node({ node });
  if (nats === null) {
    const { inForeground } = await import("../daemon/foreground.js");
    return inForeground(overSsh(ssh, { id, readOnly, resize }), context.env);
  }
  const { streamAttach } = await import("./stream-attach.js");
  const terminal = await context.terminal(id);
  return streamAttach(terminal, { name: `${node}:${name}`, readOnly, takeOver: resize, stdin: process.stdin, stdout: process.stdout });
}

interface Attached {
  readonly id: string;
  readonly readOnly: boolean;
  readonly resize: boolean;
}

function overSsh(ssh: NodeAnswer["ssh"], { id, readOnly, resize }: Attached): [string, ...string[]] {
  const words = ["attach", id, ...(readOnly ? ["--read-only"] : []), ...(resize ? ["--resize"] : [])].join(" ");
  const command = ssh.command !== null && SERVES.test(ssh.command) ? ssh.command.replace(SERVES, words) : `tmpm ${words}`;
  return ["ssh", "-t", "--", ssh.host, command];
}
