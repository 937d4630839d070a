import { join } from "node:path";
import { at, countAt, jsonIn, numberAt, textAt } from "../files/json-path.js";
import { usageSource } from "../usage/session-usage.js";
import { nothing, type UsageLine, type UsageState } from "../usage/usage-source.js";

/**
 * The usage that tmpm's plugin records for every response in a session, including its sub-agents, since OpenCode's own store is a database.
 * Nothing without hooks.
 */
export const opencodeUsage = usageSource({
  locate:
    ({ folder }) =>
    async () =>
      folder ? [join(folder, "opencode-usage.jsonl")] : [],
  read,
});

/** A fork copies the messages before it under other ids, with the times of the originals. Plugins of earlier versions leave out when a message was created. */
function keyIn(entry: unknown): string | null {
  const createdMs = numberAt(entry, "createdMs");
  const id = textAt(entry, "id");
  return id === null || createdMs === null ? id : `${createdMs} ${numberAt(entry, "atMs")} ${textAt(entry, "model")}`;
}

function read(line: string, state: UsageState): UsageLine {
  const entry = jsonIn(line);
  const key = keyIn(entry);
  const counts = at(entry, "tokens");
  if (key === null || counts === undefined) return nothing(state);
  const reasoning = countAt(counts, "reasoning");
  const tokens = {
    input: countAt(counts, "input"),
    cache_read: countAt(counts, "cache", "read"),
    cache_write: countAt(counts, "cache", "write"),
    // OpenCode counts reasoning apart from output.
    output: countAt(counts, "output") + reasoning,
    reasoning,
  };
  const limit = countAt(entry, "limit");
  const filled = tokens.input + tokens.cache_read + tokens.cache_write + tokens.output;
  const context = at(entry, "child") === true ? null : { tokens: filled, limit: limit === 0 ? null : limit };
  return { state, answer: { key, atMs: numberAt(entry, "atMs"), model: textAt(entry, "model"), tokens, context } };
}
