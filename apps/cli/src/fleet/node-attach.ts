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

/** The program and arguments that show a node's session in this terminal: `tmpm attach` there, over the user's ssh. */
export async function nodeAttach(client: Client, { session, readOnly, resize, context, node }: Target): Promise<[string, ...string[]]> {
  const { id } = await client.show({ session });
  const { ssh } = await context.at(null).client().node({ node });
  const words = ["attach", id, ...(readOnly ? ["--read-only"] : []), ...(resize ? ["--resize"] : [])].join(" ");
  const command = ssh.command !== null && SERVES.test(ssh.command) ? ssh.command.replace(SERVES, words) : `tmpm ${words}`;
  return ["ssh", "-t", "--", ssh.host, command];
}
