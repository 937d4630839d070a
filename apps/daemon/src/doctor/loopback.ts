import type { Finding } from "@tmpm/api/local";
import { runProgram } from "@tmpm/processes";

export interface LoopbackOptions {
  /** The program through which agents report, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The sessions' environment, including the daemon's socket. */
  readonly env: Readonly<Record<string, string>>;
  readonly newId: () => string;
  readonly newToken: () => string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** A report without a session, sent the way agents do: same program, socket and route. */
export interface Loopback {
  run(): Promise<Finding>;
  /** Whether a report with this session and token is awaited. */
  expects(report: AwaitedReport): boolean;
  /** Whether a report is the awaited one; if so it is consumed and changes nothing. */
  take(report: AwaitedReport): { readonly taken: true; readonly reason: null } | null;
}

export interface AwaitedReport {
  readonly session: string;
  readonly token: string | null;
}

const NAME = "agent hooks";
const ENDS_MS = 5_000;
/** Above an agent's own limit of one second, because starting the program may take that long on a busy machine. */
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
      return lost(`\`${command.join(" ")}\` succeeded, but its report did not arrive`);
    },
    expects: ({ session, token }) => token !== null && waited.get(session)?.token === token,
    take({ session, token }) {
      const expected = waited.get(session);
      if (expected === undefined || token !== expected.token) return null;
      expected.arrivedMs = now();
      return { taken: true, reason: null };
    },
  };
}

/** Why it failed; null when it ended normally. */
async function runReport(argv: LoopbackOptions["command"], env: LoopbackOptions["env"]): Promise<string | null> {
  const end = await runProgram({ argv, env, withinMs: ENDS_MS, input: '{"hook_event_name":"Doctor"}' });
  if (end.kind === "late") return `it did not end within ${ENDS_MS / 1000} s`;
  if (end.kind === "refused") return `\`${argv[0]}\` was not started (${end.error.code})`;
  if (end.status === 0) return null;
  const words = end.stderr.trim().split("\n")[0] ?? "";
  return `\`${argv[0]}\` ended with ${end.status === null ? "a signal" : `status ${end.status}`}${words === "" ? "" : `: ${words}`}`;
}

function arrived(ms: number): Finding {
  return { name: NAME, status: "ok", message: `a test report arrived in ${Math.round(ms)} ms`, hint: null };
}

function lost(why: string): Finding {
  return {
    name: NAME,
    status: "fail",
    message: `a test report was lost: ${why}`,
    hint: "Restart the daemon with `tmpm daemon restart`; until reports arrive, only agents' screens are read.",
  };
}
