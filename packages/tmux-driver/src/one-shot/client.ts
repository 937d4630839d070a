import { execa } from "execa";
import { readRefusal, spawnError, unclearError, unresponsive } from "../failure.js";
import { clientArguments } from "../transport/argument.js";
import type { Arrivals } from "../transport/arrivals.js";
import type { Channel, Reply, Request } from "../transport/channel.js";
import { circuitBreaker } from "../transport/circuit-breaker.js";
import { inTime } from "../transport/in-time.js";
import { lanes } from "../transport/lanes.js";

/** More concurrent clients only wait for each other in the server. */
const WIDTH = 4;

export interface ClientOptions {
  readonly program: string;
  /** Before the commands: `-u`, the configuration file, the socket. */
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds until a client that has not answered is killed. */
  readonly deadlines: { readonly read: number; readonly mutate: number };
  readonly monotonic: () => number;
  /** A word that no pane can know, fresh for each request. */
  readonly nonce: () => string;
  readonly arrivals: Arrivals;
}

/** One tmux process for each request. A request fails when the server was silent for its whole deadline, whether it ran or was queued. */
export function clientChannel(options: ClientOptions): Channel {
  const breaker = circuitBreaker(options.monotonic);
  const running = lanes(WIDTH);
  let lastAnswer = 0;
  return {
    async ask(request) {
      const asked = options.monotonic();
      const patience = () => options.deadlines[request.kind] - (options.monotonic() - Math.max(asked, lastAnswer));
      const reply = await running.run(async (): Promise<Reply> => {
        if (!breaker.admits()) return silent("tmux did not answer the last calls");
        const reply = await runClient(request, { ...options, withinMs: Math.max(patience(), 100) });
        if (reply.kind !== "unanswered") {
          breaker.answered();
          lastAnswer = options.monotonic();
        } else if (reply.error.code === "TMUX_UNRESPONSIVE") breaker.timedOut();
        return reply;
      }, patience);
      return reply ?? silent("tmux did not answer the calls before this one");
    },
  };
}

function silent(why: string): Reply {
  return { kind: "unanswered", error: unresponsive(why, "none") };
}

/**
 * A client ended by SIGTERM exits with 0 and no output, and commands with missing targets may succeed: only the nonce, printed last, proves
 * an answer.
 */
async function runClient(request: Request, options: ClientOptions & { readonly withinMs: number }): Promise<Reply> {
  const nonce = `tmpm-${options.nonce()}`;
  const effect = request.kind === "mutate" ? "unknown" : "none";
  const ending = await runProgram(options, {
    arguments: clientArguments([...request.commands, ["display-message", "-p", nonce]]),
    input: request.input,
    withinMs: options.withinMs,
  });
  if (ending === "late")
    return { kind: "unanswered", error: unresponsive(`tmux did not answer within ${Math.round(options.withinMs)} ms`, effect) };
  const output = ending.stdout;
  if (output === nonce || output.endsWith(`\n${nonce}`)) return { kind: "answered", output: output.slice(0, -nonce.length) };
  if (ending.isTerminated) return { kind: "unanswered", error: unresponsive("the tmux client was killed before it answered", effect) };
  const refusal = readRefusal(ending.stderr);
  if (refusal !== null) return { kind: "refused", refusal, output: `${output}\n` };
  if (ending.exitCode === undefined) return { kind: "unanswered", error: spawnError(ending.code ?? "unknown", options.program) };
  return { kind: "unanswered", error: unclearError({ stderr: ending.stderr, exitCode: ending.exitCode, effect }) };
}

interface Run {
  readonly arguments: readonly string[];
  readonly input: string | undefined;
  readonly withinMs: number;
}

interface Ending {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | undefined;
  readonly code: string | undefined;
  readonly isTerminated: boolean;
}

/** A stopped server holds the client's pipes even after the client is killed, so they are destroyed at the deadline. */
async function runProgram(options: ClientOptions, run: Run): Promise<Ending | "late"> {
  const client = begin(options, run);
  if (client === null) return { stdout: "", stderr: "", exitCode: undefined, code: "EMFILE", isTerminated: false };
  const ended = client.then(({ stdout, stderr, exitCode, code, isTerminated }) => ({ stdout, stderr, exitCode, code, isTerminated }));
  const ending = await inTime(ended, run.withinMs);
  if (ending !== "late") return ending;
  client.kill("SIGKILL");
  for (const stream of [client.stdin, client.stdout, client.stderr]) stream?.destroy();
  return ending;
}

/** Null when the system has no files left: then Node creates no pipes, and execa throws. */
function begin(options: ClientOptions, run: Run) {
  try {
    return start(options, run);
  } catch (error) {
    if (error instanceof TypeError && error.message.includes("stdio")) return null;
    throw error;
  }
}

function start(options: ClientOptions, run: Run) {
  return execa(options.program, [...options.arguments, ...run.arguments], {
    cwd: "/",
    env: options.env,
    extendEnv: false,
    ...(run.input === undefined ? { stdin: "ignore" as const } : { input: run.input }),
    killSignal: "SIGKILL",
    reject: false,
    maxBuffer: 512 * 1024 * 1024,
  });
}
