import { dirname, join } from "node:path";
import { findFiles } from "../files/find-file.js";
import { at, countAt, jsonIn, msAt, textAt } from "../files/json-path.js";
import { usageSource } from "../usage/session-usage.js";
import { nothing, type UsageLine, type UsageState } from "../usage/usage-source.js";
import { geminiHome } from "./folder-trust.js";

/**
 * `tokens` of every response in the conversation's chat file, as version 0.61.0 writes it: again with each tool that ends. Calls to the
 * router model are not included.
 */
export const geminiUsage = usageSource({
  locate({ conversationId, env }) {
    const projects = join(geminiHome(env), "tmp");
    const is = (name: string) => name.startsWith("session-") && name.endsWith(`-${conversationId.slice(0, 8)}.jsonl`);
    const isJsonLines = (name: string) => name.endsWith(".jsonl");
    return async () => {
      const own = await findFiles(projects, { depth: 2, is });
      const folders = new Set(own.map((path) => join(dirname(path), conversationId)));
      const below = await Promise.all([...folders].map((folder) => findFiles(folder, { depth: 0, is: isJsonLines })));
      return [...own, ...below.flat()];
    };
  },
  read,
});

function read(line: string, state: UsageState): UsageLine {
  if (line.includes('"kind":"subagent"') && textAt(jsonIn(line), "kind") === "subagent") return nothing({ ...state, child: true });
  if (!line.includes('"tokens"')) return nothing(state);
  const entry = jsonIn(line);
  const counts = at(entry, "tokens");
  const key = textAt(entry, "id");
  if (textAt(entry, "type") !== "gemini" || key === null || counts === undefined) return nothing(state);
  const cache_read = countAt(counts, "cached");
  const reasoning = countAt(counts, "thoughts");
  const tokens = {
    // Cached tokens are part of the input; tool results are counted separately.
    input: Math.max(0, countAt(counts, "input") - cache_read) + countAt(counts, "tool"),
    cache_read,
    cache_write: 0,
    output: countAt(counts, "output") + reasoning,
    reasoning,
  };
  const context = state.child === true ? null : { tokens: countAt(counts, "total"), limit: null };
  return { state, answer: { key, atMs: msAt(entry, "timestamp"), model: textAt(entry, "model"), tokens, context } };
}
