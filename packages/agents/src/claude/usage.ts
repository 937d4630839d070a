import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { at, countAt, jsonIn, msAt, textAt } from "../files/json-path.js";
import { isMissing } from "../files/line-reader.js";
import { statOrNull } from "../files/stat-or-null.js";
import { usageSource } from "../usage/session-usage.js";
import { nothing, type UsageLine, type UsageState } from "../usage/usage-source.js";
import { claudeContextLimit } from "./context-limit.js";
import { findConversation } from "./conversation.js";

/**
 * `usage` of every response in the conversation's file and those of its sub-agents, as versions 2.1.197 to 2.1.332 write it: once for each
 * block of the response.
 */
export const claudeUsage = usageSource({
  locate({ conversationId, env }) {
    let main: string | null = null;
    let known: Folder = { mtimeMs: null, paths: [] };
    return async () => {
      main ??= await findConversation(conversationId, { env });
      if (main === null) return [];
      known = await filesIn(join(dirname(main), conversationId, "subagents"), known);
      return [main, ...known.paths];
    };
  },
  read,
});

function read(line: string, state: UsageState): UsageLine {
  if (!line.includes('"usage"')) return nothing(state);
  const entry = jsonIn(line);
  const message = at(entry, "message");
  const usage = at(message, "usage");
  const model = textAt(message, "model");
  const id = textAt(message, "id");
  // Claude's own notices have the model `<synthetic>` and no cost.
  if (textAt(entry, "type") !== "assistant" || id === null || usage === undefined || model?.startsWith("<")) return nothing(state);
  // A forked conversation begins with the messages before the fork.
  const asked = textAt(entry, "requestSessionId");
  if (asked !== null && asked !== textAt(entry, "sessionId")) return nothing(state);
  const tokens = {
    input: countAt(usage, "input_tokens"),
    cache_read: countAt(usage, "cache_read_input_tokens"),
    cache_write: countAt(usage, "cache_creation_input_tokens"),
    output: countAt(usage, "output_tokens"),
    reasoning: countAt(usage, "output_tokens_details", "thinking_tokens"),
  };
  const filled = tokens.input + tokens.cache_read + tokens.cache_write + tokens.output;
  const context = at(entry, "isSidechain") === true ? null : { tokens: filled, limit: claudeContextLimit(model) };
  return { state, answer: { key: `${id} ${textAt(entry, "requestId") ?? ""}`, atMs: msAt(entry, "timestamp"), model, tokens, context } };
}

interface Folder {
  /** Null for a missing folder. */
  readonly mtimeMs: number | null;
  readonly paths: readonly string[];
}

/** Reads the folder only if it has changed. */
async function filesIn(folder: string, known: Folder): Promise<Folder> {
  const mtimeMs = statOrNull(folder)?.mtimeMs ?? null;
  if (mtimeMs === known.mtimeMs) return known;
  try {
    const names = await readdir(folder);
    return { mtimeMs, paths: names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name)) };
  } catch (error) {
    if (isMissing(error)) return { mtimeMs: null, paths: [] };
    throw error;
  }
}
