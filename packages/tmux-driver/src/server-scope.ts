import { readFile } from "node:fs/promises";
import { execa } from "execa";
import type { Channel, Request } from "./channel.js";
import type { ClientOptions } from "./one-shot/client.js";

/** How a server is started: in a scope of its own under the user's systemd, where ending the service that starts it does not end it; or as a plain child, and why. */
export type ServerScope = { readonly kind: "scope" } | { readonly kind: "plain"; readonly reason: string };

const PROGRAM = "systemd-run";
/** A scope runs its program in place, so environment, directory, streams and status are the caller's (systemd 236). */
const ARGUMENTS = ["--user", "--scope", "--quiet", "--collect", "--"] as const;
const PROBE_MS = 3000;

/** Whether a user manager runs programs in scopes, by running one. Where it does not, sessions end with the service that started their server. */
export async function serverScope(env: Readonly<Record<string, string | undefined>>): Promise<ServerScope> {
  if ((env.XDG_RUNTIME_DIR ?? "") === "") return { kind: "plain", reason: "XDG_RUNTIME_DIR is not set" };
  const probe = await execa(PROGRAM, [...ARGUMENTS, "true"], {
    env,
    extendEnv: false,
    stdin: "ignore",
    reject: false,
    timeout: PROBE_MS,
    killSignal: "SIGKILL",
  });
  if (probe.exitCode === 0) return { kind: "scope" };
  if (probe.code === "ENOENT") return { kind: "plain", reason: `${PROGRAM} is not installed` };
  const words = probe.timedOut ? `no answer within ${PROBE_MS} ms` : probe.stderr.trim().split("\n")[0];
  return { kind: "plain", reason: `${PROGRAM}: ${words === "" ? "no scope was made" : words}` };
}

/** The client that runs in a scope of its own. */
export function scopedClient(client: ClientOptions): ClientOptions {
  return { ...client, program: PROGRAM, arguments: [...ARGUMENTS, client.program, ...client.arguments] };
}

export interface StartingChannelOptions {
  readonly plain: Channel;
  readonly scoped: Channel;
  /** Whether a server is known to run. */
  readonly runs: () => Promise<boolean>;
  readonly scope: () => Promise<ServerScope>;
}

/** What may start a server goes by the scoped client; everything else by the plain one. */
export function startingChannel({ plain, scoped, runs, scope }: StartingChannelOptions): Channel {
  return {
    async ask(request) {
      if (!mayStart(request) || (await runs())) return plain.ask(request);
      return (await scope()).kind === "scope" ? scoped.ask(request) : plain.ask(request);
    },
  };
}

function mayStart({ commands }: Request): boolean {
  return commands.some(([name]) => name === "new-session");
}

/** Whether ending this process's cgroup would end that process; null where the system does not tell. */
export async function sharesCgroup(pid: number): Promise<boolean | null> {
  const cgroups = await Promise.all([pid, process.pid].map((of) => readFile(`/proc/${of}/cgroup`, "utf8").catch(() => null)));
  const [theirs, ours] = cgroups;
  return theirs === null || ours === null ? null : theirs === ours;
}
