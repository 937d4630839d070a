/** The part of the plugin that records the usage of every response, including sub-agents': a line for each, in `opencode-usage.jsonl`. */
export function opencodeUsageKeeper(): string {
  return `
const limits = new Map();

function used({ id, sessionID, modelID, tokens, time }) {
  const sum = [tokens?.input, tokens?.output, tokens?.reasoning, tokens?.cache?.read, tokens?.cache?.write].reduce((total, count) => total + (count ?? 0), 0);
  if (!id || !(sum > 0)) return;
  const line = { id, model: modelID ?? null, createdMs: time?.created ?? null, atMs: time?.completed ?? Date.now(), child: children.has(sessionID), limit: limits.get(modelID) ?? 0, tokens };
  appendFileSync(join(folder, "opencode-usage.jsonl"), JSON.stringify(line) + "\\n", { mode: 0o600 });
}

function limited({ model }) {
  const limit = model?.limit?.context;
  if (limit > 0 && model.id) limits.set(model.id, limit);
}
`;
}

/** A plugin with only that. A conversation with a parent is a sub-agent's. */
export function opencodeUsagePlugin({ folder }: { readonly folder: string }): string {
  return `import { appendFileSync } from "node:fs";
import { join } from "node:path";

const folder = ${JSON.stringify(folder)};
const children = new Set();
${opencodeUsageKeeper()}
function hear({ type, properties }) {
  const info = properties?.info;
  if ((type === "session.created" || type === "session.updated") && info?.parentID) children.add(info.id);
  if (type === "message.updated" && info?.role === "assistant" && info.time?.completed) used(info);
}

function quietly(work) {
  try {
    work();
  } catch {
    // A full disk must not stop OpenCode.
  }
}

export const TmpmUsage = async () => ({
  event: async ({ event }) => quietly(() => hear(event)),
  "chat.params": async (input) => quietly(() => limited(input)),
});
`;
}
