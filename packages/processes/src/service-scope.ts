import { readFile } from "node:fs/promises";
import { execa } from "execa";

/**
 * How to start a program that has to outlive us: in its own scope under the user's systemd, where it survives the end of our service; or as
 * a plain child, with the reason.
 */
export type ServerScope = { readonly kind: "scope" } | { readonly kind: "plain"; readonly reason: string };

/** Runs a program in place in a scope, so that environment, directory, streams and status are the caller's (systemd 236). */
export const IN_SCOPE = ["systemd-run", "--user", "--scope", "--quiet", "--collect", "--"] as const;

const PROBE_MS = 3000;

/** Whether a user manager runs programs in scopes, determined by running one. If not, our children end with the service that we run in. */
export async function serverScope(env: Readonly<Record<string, string | undefined>>): Promise<ServerScope> {
  if ((env.XDG_RUNTIME_DIR ?? "") === "") return { kind: "plain", reason: "XDG_RUNTIME_DIR is not set" };
  const [program, ...flags] = IN_SCOPE;
  const probe = await execa(program, [...flags, "true"], {
    env,
    extendEnv: false,
    stdin: "ignore",
    reject: false,
    timeout: PROBE_MS,
    killSignal: "SIGKILL",
  });
  if (probe.exitCode === 0) return { kind: "scope" };
  if (probe.code === "ENOENT") return { kind: "plain", reason: `${program} is not installed` };
  const words = probe.timedOut ? `no answer within ${PROBE_MS} ms` : probe.stderr.trim().split("\n")[0];
  return { kind: "plain", reason: `${program}: ${words === "" ? "no scope was made" : words}` };
}

/** Whether ending this process's cgroup would end that process; null if the system does not report it. */
export async function sharesCgroup(pid: number): Promise<boolean | null> {
  const cgroups = await Promise.all([pid, process.pid].map((of) => readFile(`/proc/${of}/cgroup`, "utf8").catch(() => null)));
  const [theirs, ours] = cgroups;
  return theirs === null || ours === null ? null : theirs === ours;
}
