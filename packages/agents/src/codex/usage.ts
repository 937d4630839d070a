import { homedir } from "node:os";
import { join } from "node:path";
import { at, countAt, jsonIn, msAt, textAt } from "../files/json-path.js";
import { usageSource } from "../usage/session-usage.js";
import { nothing, type UsageLine, type UsageState } from "../usage/usage-source.js";
import { isSubagent, rollouts } from "./rollouts.js";

const known = rollouts();

/**
 * The counts of a conversation's rollout, and of those of its sub-agents. Version 0.171.0 writes a `token_usage_record` for each response;
 * earlier ones only a `token_count`, which is repeated without a change.
 */
export const codexUsage = usageSource({
  locate({ conversationId, env }) {
    const sessions = join(env.CODEX_HOME ?? join(env.HOME ?? homedir(), ".codex"), "sessions");
    return () => known.of({ id: conversationId, sessions });
  },
  read,
});

const RELEVANT = /"(?:session_meta|turn_context|token_usage_record|token_count)"/;

function read(line: string, state: UsageState): UsageLine {
  if (!RELEVANT.test(line)) return nothing(state);
  const entry = jsonIn(line);
  const payload = at(entry, "payload");
  switch (textAt(entry, "type")) {
    case "session_meta":
      // A forked rollout also holds the head of its source, after its own.
      return nothing({ thread: textAt(payload, "id"), child: isSubagent(payload), ...state });
    case "turn_context":
      return nothing({ ...state, model: textAt(payload, "model"), turn: textAt(payload, "turn_id") });
    case "token_usage_record":
      return recorded(entry, { ...state, records: true });
    default:
      return textAt(payload, "type") === "token_count" ? counted(entry, state) : nothing(state);
  }
}

function recorded(entry: unknown, state: UsageState): UsageLine {
  const payload = at(entry, "payload");
  const thread = textAt(payload, "thread_id");
  const id = textAt(payload, "response_id");
  if (id === null || (thread !== null && typeof state.thread === "string" && thread !== state.thread)) return nothing(state);
  const usage = at(payload, "usage");
  return {
    state,
    answer: { key: id, atMs: msAt(entry, "timestamp"), model: modelIn(state), tokens: tokensIn(usage), context: fill(usage, state) },
  };
}

/** Its totals grow with every response, so they identify the response within its turn. */
function counted(entry: unknown, before: UsageState): UsageLine {
  const info = at(entry, "payload", "info");
  const window = countAt(info, "model_context_window");
  const state = window === 0 ? before : { ...before, window };
  const last = at(info, "last_token_usage");
  const total = at(info, "total_token_usage");
  if (state.records === true || last === undefined) return nothing(state);
  const key = `${state.turn ?? state.thread ?? ""} ${JSON.stringify(total)}`;
  return {
    state,
    answer: { key, atMs: msAt(entry, "timestamp"), model: modelIn(state), tokens: tokensIn(last), context: fill(last, state) },
  };
}

/** Codex includes cached tokens in its input. */
function tokensIn(usage: unknown) {
  const cache_read = countAt(usage, "cached_input_tokens");
  const cache_write = countAt(usage, "cache_write_input_tokens");
  return {
    input: Math.max(0, countAt(usage, "input_tokens") - cache_read - cache_write),
    cache_read,
    cache_write,
    output: countAt(usage, "output_tokens"),
    reasoning: countAt(usage, "reasoning_output_tokens"),
  };
}

function fill(usage: unknown, { window, child }: UsageState) {
  if (child === true) return null;
  return { tokens: countAt(usage, "total_tokens"), limit: typeof window === "number" ? window : null };
}

function modelIn({ model }: UsageState): string | null {
  return typeof model === "string" ? model : null;
}
