import type { NodeAnswer } from "@tmpm/api";
import { TmpmError, visibleText } from "@tmpm/core";
import { LEAVE } from "@tmpm/core/attached";
import { inForegroundWith } from "../daemon/foreground.js";
import { print } from "../terminal/output.js";

export interface SshAttachOptions {
  /** The session's id. */
  readonly id: string;
  /** What it is called from here. */
  readonly address: string;
  readonly node: string;
  readonly readOnly: boolean;
  readonly resize: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const SERVES = /\bnode --stdio\s*$/;
/** Of ssh itself; anything else is the remote command's (`ssh(1)`). */
const SSH_FAILED = 255;
/** It says so last, whatever the reason was. */
const CLOSED = /^Connection to \S+ closed\.$/;
const MOST_SAID = 4 * 1024;
/** A connection that is silent for three quarters of a minute is over. */
const OPTIONS = ["-t", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"];
const SAVE_CURSOR = "\u001b7";

/**
 * Runs `tmpm attach` at the node, over the user's ssh, until it is detached or ends; returns its exit status. A connection that breaks leaves the terminal as
 * it was before. @throws NODE_OFFLINE
 */
export async function sshAttach(ssh: NodeAnswer["ssh"], options: SshAttachOptions): Promise<number> {
  const { address, node, env } = options;
  let said = "";
  // What ssh says would be drawn over the session, and lost with its screen.
  const errors = (text: string) => {
    said = (said + text).slice(-MOST_SAID);
  };
  print(SAVE_CURSOR, 1);
  const status = await inForegroundWith(sshCommand(ssh, options), { env, errors });
  const lines = said.split(/\r?\n/).filter((line) => line.trim() !== "" && !(status === SSH_FAILED && CLOSED.test(line)));
  if (status !== SSH_FAILED) {
    for (const line of lines) print(`${visibleText(line)}\n`, 2);
    return status;
  }
  print(LEAVE, 1);
  for (const line of lines.slice(0, -1)) print(`${visibleText(line)}\n`, 2);
  throw new TmpmError(
    "NODE_OFFLINE",
    `the connection to ${node} ended${lines.length === 0 ? "" : `: ${visibleText(lines.at(-1) ?? "")}`}`,
    {
      hint: `The session continues there; \`tmpm attach ${address}\` shows it again.`,
      details: { node },
    },
  );
}

function sshCommand(ssh: NodeAnswer["ssh"], { id, readOnly, resize }: SshAttachOptions): [string, ...string[]] {
  const words = ["attach", id, ...(readOnly ? ["--read-only"] : []), ...(resize ? ["--resize"] : [])].join(" ");
  const command = ssh.command !== null && SERVES.test(ssh.command) ? ssh.command.replace(SERVES, words) : `tmpm ${words}`;
  return ["ssh", ...OPTIONS, "--", ssh.host, command];
}
