import { runProgram } from "@tmpm/processes";
import { readRefusal, spawnError, unclearError, unresponsive } from "../failure.js";
import { clientArguments } from "../transport/argument.js";
import type { Arrivals } from "../transport/arrivals.js";
import type { Channel, Reply, Request } from "../transport/channel.js";
import { circuitBreaker } from "../transport/circuit-breaker.js";
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
  const end = await runProgram({
    argv: [options.program, ...options.arguments, ...clientArguments([...request.commands, ["display-message", "-p", nonce]])],
    env: options.env,
    input: request.input,
    withinMs: options.withinMs,
  });
  if (end.kind === "late")
    return { kind: "unanswered", error: unresponsive(`tmux did not answer within ${Math.round(options.withinMs)} ms`, effect) };
  if (end.kind === "refused") return { kind: "unanswered", error: spawnError(end.error.code, options.program) };
  const { stdout, stderr, status } = end;
  if (stdout === nonce || stdout.endsWith(`\n${nonce}`)) return { kind: "answered", output: stdout.slice(0, -nonce.length) };
  if (status === null) return { kind: "unanswered", error: unresponsive("the tmux client was killed before it answered", effect) };
  const refusal = readRefusal(stderr);
  if (refusal !== null) return { kind: "refused", refusal, output: `${stdout}\n` };
  return { kind: "unanswered", error: unclearError({ stderr, exitCode: status, effect }) };
}
