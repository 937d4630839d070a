import { spawn } from "node:child_process";
import { SSH_OPTIONS } from "./ssh-options.js";
import type { OpenWire, WireEnd } from "./wire.js";

export interface SshTarget {
  /** In the syntax of `ssh`: a name of the user's configuration, `user@host`, or an `ssh://` address. */
  readonly host: string;
  /** The command on the node, as words for its login shell; default `tmpm node --stdio`. */
  readonly command?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const COMMAND = "tmpm node --stdio";
/** The last part of ssh's error output. */
const MOST_STDERR = 4 * 1024;

/** A wire over the user's own `ssh`, with the user's configuration, keys and agent: one process for each link. */
export function sshWire({ host, command = COMMAND, env }: SshTarget): OpenWire {
  return ({ bytes, closed }) => {
    const child = spawn("ssh", [...SSH_OPTIONS, "--", host, command], { stdio: ["pipe", "pipe", "pipe"], env: { ...env } });
    let stderr = "";
    let isClosed = false;
    const finish = (end: WireEnd) => {
      if (isClosed) return;
      isClosed = true;
      closed(end);
    };
    child.stdout.on("data", bytes);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-MOST_STDERR);
    });
    // `close` has more details.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => finish({ reason: `ssh could not be started: ${error.message}`, hint: "Install an OpenSSH client." }));
    child.on("close", (code, signal) => finish(sshEnd({ code, signal, stderr, host, command })));
    return {
      send(piece) {
        if (!isClosed && child.stdin.writable) child.stdin.write(piece);
      },
      close() {
        child.stdin.end();
        child.kill("SIGTERM");
        finish({ reason: "closed" });
      },
    };
  };
}

export interface SshEnded {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  readonly host: string;
  readonly command: string;
}

/** The reason why ssh ended, and the remedy (`ssh(1)`: 255 is ssh's own status, everything else the remote command's). */
export function sshEnd({ code, signal, stderr, host, command }: SshEnded): WireEnd {
  const last = stderr
    .trim()
    .split("\n")
    .findLast((line) => line.trim() !== "")
    ?.trim();
  const said = last === undefined ? "" : `: ${last}`;
  if (code === 127)
    return {
      reason: `tmpm was not found on ${host}${said}`,
      hint: `Install it there (npm install --global @tmpm/cli, or tmpm nodes add LABEL --ssh ${host} --install), or give its path: --command "/path/to/tmpm node --stdio"`,
    };
  if (code === 255)
    return {
      reason: `ssh cannot reach ${host}${said}`,
      hint: `\`ssh ${host} true\` must work without prompting: load your keys into an agent, and accept the host's key.`,
    };
  if (code === 0 || code === null)
    return { reason: signal === null ? `the node ended the connection${said}` : `ssh was ended (${signal})` };
  return { reason: `"${command}" on ${host} ended with status ${code}${said}` };
}
