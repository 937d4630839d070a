/** The part of the plugin that writes down what every answer used: a line for each, in `opencode-usage.jsonl`, those of sub-agents included. */
export function opencodeUsageKeeper(): string {
  return `
const limits = new Map();

function used({ id, sessionID, modelID, tokens, time }) {
  const sum = [tokens?.input, tokens?.output, tokens?.reasoning, tokens?.cache?.read, tokens?.cache?.write].reduce((total, count) => total + (count ?? 0), 0);
  if (!id || !(sum > 0)) return;
  const line = { id, model: modelID ?? null, atMs: time?.completed ?? Date.now(), child: children.has(sessionID), limit: limits.get(modelID) ?? 0, tokens };
  appendFileSync(join(folder, "opencode-usage.jsonl"), JSON.stringify(line) + "\\n", { mode: 0o600 });
}

function limited({ model }) {
  const limit = model?.limit?.context;
  if (limit > 0 && model.id) limits.set(model.id, limit);
}
`;
}
