import type { Finding } from "@tmpm/api/local";
import { execa } from "execa";

export interface LoopbackOptions {
  /** The program that agents report by, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** What sessions get, with the daemon's socket in it. */
  readonly env: Readonly<Record<string, string>>;
  readonly newId: () => string;
  readonly newToken: () => string;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
}

/** A report without a session, sent as an agent sends one, by the same program, socket and route. */
export interface Loopback {
  run(): Promise<Finding>;
  /** Whether a report is the one that is waited for; it is then taken, and changes nothing. */
  take(report: { readonly session: string; readonly token: string | null }): { readonly taken: true; readonly reason: null } | null;
}

const NAME = "agent hooks";
const ENDS_MS = 5_000;
/** An agent's report gives up after a second, which a busy machine may need to begin it. */
const TRIES = 3;

export function loopback({ command, env, newId, newToken, now }: LoopbackOptions): Loopback {
  const waited = new Map<string, { readonly token: string; arrivedMs: number | null }>();
  const report = async (): Promise<Finding | null> => {
    const session = newId();
    const expected = { token: newToken(), arrivedMs: null as number | null };
    waited.set(session, expected);
    const begunMs = now();
    try {
      const why = await runReport(command, { ...env, TMPM_SESSION_ID: session, TMPM_SESSION_TOKEN: expected.token });
      if (expected.arrivedMs !== null) return arrived(expected.arrivedMs - begunMs);
      return why === null ? null : lost(why);
    } finally {
      waited.delete(session);
    }
  };
  return {
    async run() {
      for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        const found = await report();
        if (found !== null) return found;
      }
      return lost(`\`${command.join(" ")}\` ended well, and its report did not arrive`);
    },
    take({ session, token }) {
      const expected = waited.get(session);
      if (expected === undefined || token !== expected.token) return null;
      expected.arrivedMs = now();
      return { taken: true, reason: null };
    },
  };
}

/** Why it could not be run; null when it ended as it always should. */
async function runReport([program, ...args]: LoopbackOptions["command"], env: LoopbackOptions["env"]): Promise<string | null> {
  const options = { env, extendEnv: false, reject: false, timeout: ENDS_MS, killSignal: "SIGKILL" } as const;
  const { exitCode, timedOut, shortMessage } = await execa(program, args, { ...options, input: '{"hook_event_name":"Doctor"}' });
  if (timedOut) return `it did not end within ${ENDS_MS / 1000} s`;
  return exitCode === 0 ? null : (shortMessage ?? `status ${exitCode}`);
}

function arrived(ms: number): Finding {
  return { name: NAME, status: "ok", message: `a report sent as an agent sends one arrived in ${Math.round(ms)} ms`, hint: null };
}

function lost(why: string): Finding {
  return {
    name: NAME,
    status: "fail",
    message: `a report sent as an agent sends one was lost: ${why}`,
    hint: "Restart the daemon with `tmpm daemon restart`; until reports arrive, agents are believed by their screens alone.",
  };
}
