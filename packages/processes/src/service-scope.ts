import { basename } from "node:path";
import { cgroupOf } from "./cgroup.js";
import type { EnvironmentSource } from "./clean-environment.js";
import { runProgram } from "./run-program.js";

/**
 * How to start a program that has to outlive us: in its own scope under the user's systemd, where it survives the end of our service; or as
 * a plain child, with the reason.
 */
export type ServerScope = { readonly kind: "scope" } | { readonly kind: "plain"; readonly reason: string };

/** Runs a program in place in a scope, so that environment, directory, streams and status are the caller's (systemd 236). */
export const IN_SCOPE = ["systemd-run", "--user", "--scope", "--quiet", "--collect", "--"] as const;

const PROBE_MS = 3000;

/** How long a user manager that did not answer is not asked again. */
const LATE_MS = 60_000;

/** By runtime folder and search path: when a probe was late. */
const late = new Map<string, number>();

/** What a probe reads of this process. */
interface Own {
  readonly cgroup: () => Promise<string | null>;
  /** A monotonic time in ms. */
  readonly now: () => number;
  /** Time limit for an answer, in ms. */
  readonly probeMs: number;
}

const OWN: Own = { cgroup: () => cgroupOf(process.pid), now: () => performance.now(), probeMs: PROBE_MS };

/**
 * Whether a program should run in a scope of the user manager, and can: determined by running one, before each start, because a user manager
 * ends with the last logout; one that did not answer is not asked again for a minute.
 */
export async function serverScope(env: EnvironmentSource, own: Partial<Own> = {}): Promise<ServerScope> {
  const { cgroup, now, probeMs } = { ...OWN, ...own };
  const noAnswer: ServerScope = { kind: "plain", reason: `${IN_SCOPE[0]}: no answer within ${probeMs} ms` };
  if ((env.XDG_RUNTIME_DIR ?? "") === "") return { kind: "plain", reason: "XDG_RUNTIME_DIR is not set" };
  const manager = `${env.XDG_RUNTIME_DIR}\0${env.PATH ?? ""}`;
  if (now() - (late.get(manager) ?? Number.NEGATIVE_INFINITY) < LATE_MS) return noAnswer;
  const unit = basename((await cgroup()) ?? "");
  if (/^session-.*\.scope$/.test(unit) && (await outlivesManager(env, probeMs))) {
    return { kind: "plain", reason: `${unit} does not end its programs at a logout, and the last logout ends the user's systemd` };
  }
  const probe = await runProgram({ argv: [...IN_SCOPE, "true"], env, withinMs: probeMs });
  if (probe.kind === "late") {
    late.set(manager, now());
    return noAnswer;
  }
  late.delete(manager);
  const [program] = IN_SCOPE;
  if (probe.kind === "refused") {
    const why = probe.error.code === "ENOENT" ? `${program} is not installed` : `${program} was not started (${probe.error.code})`;
    return { kind: "plain", reason: why };
  }
  if (probe.status === 0) return { kind: "scope" };
  const words = probe.stderr.trim().split("\n")[0];
  return { kind: "plain", reason: `${program}: ${words === "" ? "no scope was made" : words}` };
}

/** Whether a login session's programs survive the last logout, and those of the user manager do not. False if logind does not report it. */
async function outlivesManager(env: EnvironmentSource, withinMs: number): Promise<boolean> {
  const user = String(process.getuid?.() ?? 0);
  const [kills, lingers] = await Promise.all([
    answerOf(["show-session", "--property=KillUserProcesses", "--value"], { env, withinMs }),
    answerOf(["show-user", user, "--property=Linger", "--value"], { env, withinMs }),
  ]);
  return kills === "no" && lingers === "no";
}

async function answerOf(
  words: readonly string[],
  { env, withinMs }: { readonly env: EnvironmentSource; readonly withinMs: number },
): Promise<string | null> {
  const end = await runProgram({ argv: ["loginctl", ...words], env, withinMs });
  return end.kind === "ended" && end.status === 0 ? end.stdout.trim() : null;
}
