import type { NodeAnswer } from "@tmpm/api";
import { TmpmError, visibleText } from "@tmpm/core";
import { LEAVE } from "@tmpm/core/attached";
import { SSH_TERMINAL_OPTIONS } from "@tmpm/fleet";
import { inForegroundWith } from "../daemon/foreground.js";
import { print } from "../terminal/output.js";

export interface SshAttachOptions {
  /** The session's id. */
  readonly id: string;
  /** The session's address from this machine. */
  readonly address: string;
  readonly node: string;
  readonly readOnly: boolean;
  readonly resize: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const SERVES = /\bnode --stdio\s*$/;
/** The exit status of ssh's own failures; any other is that of the remote command (`ssh(1)`). */
const SSH_FAILED = 255;
/** The last message of ssh, for any reason. */
const CLOSED = /^Connection to \S+ closed\.$/;
const MOST_SAID = 4 * 1024;
const SAVE_CURSOR = "\u001b7";

/**
 * Runs `tmpm attach` on the node, over the user's ssh, until it is detached or ends; returns its exit status. If the connection breaks, the terminal is
 * restored.
 * @throws NODE_OFFLINE, PREREQUISITE_MISSING without ssh
 */
export async function sshAttach(ssh: NodeAnswer["ssh"], options: SshAttachOptions): Promise<number> {
  const { address, node, env } = options;
  let said = "";
  // Messages of ssh would be drawn over the session, and lost with its screen.
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
  return ["ssh", ...SSH_TERMINAL_OPTIONS, "--", ssh.host, command];
}
