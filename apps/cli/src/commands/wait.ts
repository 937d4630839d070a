import type { SessionAnswer, WaitUntil } from "@tmpm/api";
import { hasCode } from "@tmpm/core";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { WAIT_STATES } from "../input/wait-states.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { renderLine } from "../render/line.js";
import { SESSIONS } from "./shared-arguments.js";

/** Maximum wait of one request to the daemon; repeated after a lost connection. */
const SLICE_MS = 15_000;
const ANSWER_MS = 15_000;

interface Wait {
  readonly sessions: readonly string[];
  readonly until: readonly WaitUntil[];
  readonly mode: "any" | "all";
  /** Milliseconds since 1970; null waits indefinitely. */
  readonly deadline: number | null;
}

/** A single session, or several. */
type Met =
  | { readonly kind: "one"; readonly session: SessionAnswer }
  | { readonly kind: "many"; readonly sessions: readonly SessionAnswer[] };

export const wait = command({
  name: "wait",
  group: "Send prompts and answers",
  summary: "Wait until a session is ready for input, has ended, or is in another state",
  more: [
    "Without --timeout it waits indefinitely; when the time runs out, it exits with status 5 and reports the current state.",
    `States: ${WAIT_STATES.join(", ")}. Without --for it waits for idle; a last argument idle or exited means the same as --for.`,
    "",
    "Examples:",
    "  tmpm wait demo",
    "  tmpm wait demo --for awaiting_approval,idle --timeout 600",
    "  tmpm wait api web docs --any --for idle",
  ].join("\n"),
  args: { sessions: SESSIONS },
  options: {
    for: { takes: "text", label: "STATE,...", summary: "States to wait for, comma-separated" },
    timeout: { takes: "seconds", label: "SECONDS", summary: "Give up after this time, in seconds" },
    any: { takes: "flag", summary: "Until one of the sessions is in the state" },
    all: { takes: "flag", summary: "Until all of the sessions are in the state (default)" },
  },
  printed: answersOf("wait", "waitMany"),
  async run(input, context): Promise<Met> {
    if (input.any && input.all) throw usageError("--any and --all are mutually exclusive", "Give one of them.");
    const { sessions, until } = wanted(input.sessions, input.for);
    const deadline = input.timeout === undefined ? null : Date.now() + input.timeout * 1000;
    const wait: Wait = { sessions, until, mode: input.any ? "any" : "all", deadline };
    const [only] = sessions;
    if (sessions.length > 1 || only === undefined)
      return { kind: "many", sessions: await inSlices(wait, (slice) => askMany(context, { wait, slice })) };
    return { kind: "one", session: await inSlices(wait, (slice) => askOne(context, { session: only, until, slice })) };
  },
  render: (met) => (met.kind === "one" ? [met.session] : met.sessions).map(renderLine).join("\n"),
  json: (met) => JSON.stringify(met.kind === "one" ? met.session : { sessions: met.sessions }),
});

function wanted(words: readonly string[], given: string | undefined): Pick<Wait, "sessions" | "until"> {
  const last = words.at(-1);
  const isState = given === undefined && words.length > 1 && (last === "idle" || last === "exited");
  const sessions = [...new Set(isState ? words.slice(0, -1) : words)];
  const states = (given ?? (isState ? last : "idle"))?.split(",") ?? [];
  return { sessions, until: states.map(requireState) };
}

function requireState(text: string): WaitUntil {
  const state = WAIT_STATES.find((known) => known === text.trim());
  if (state !== undefined) return state;
  throw usageError(`${JSON.stringify(text)} is not a state to wait for`, `States: ${WAIT_STATES.join(", ")}.`);
}

interface Slice {
  readonly timeout_ms: number;
  readonly timeoutMs: number;
}

type Asking = Pick<Context, "client" | "signal">;

function askOne(
  context: Asking,
  { session, until, slice }: { session: string; until: readonly WaitUntil[]; slice: Slice },
): Promise<SessionAnswer> {
  return context.client().wait({ session, until: [...until], timeout_ms: slice.timeout_ms }, within(context, slice));
}

async function askMany(context: Asking, { wait, slice }: { wait: Wait; slice: Slice }): Promise<readonly SessionAnswer[]> {
  const { sessions, until, mode } = wait;
  const body = { sessions: [...sessions], until: [...until], mode, timeout_ms: slice.timeout_ms };
  return (await context.client().waitMany(body, within(context, slice))).sessions;
}

function within({ signal }: Asking, { timeoutMs }: Slice): { readonly timeoutMs: number; readonly signal?: AbortSignal } {
  return signal === undefined ? { timeoutMs } : { timeoutMs, signal };
}

async function inSlices<T>({ deadline }: Wait, ask: (slice: Slice) => Promise<T>): Promise<T> {
  for (;;) {
    const left = deadline === null ? SLICE_MS : Math.min(SLICE_MS, Math.max(0, deadline - Date.now()));
    try {
      return await ask({ timeout_ms: Math.ceil(left), timeoutMs: left + ANSWER_MS });
    } catch (error) {
      if (!hasCode(error, "TIMEOUT") || (deadline !== null && Date.now() >= deadline)) throw error;
    }
  }
}
