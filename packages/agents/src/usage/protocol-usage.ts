import { join } from "node:path";
import { PROTOCOL_USAGE_FILE, TokenCounts } from "@tmpm/core";
import { at, countAt, jsonIn, numberAt, textAt } from "../files/json-path.js";
import { usageSource } from "./session-usage.js";
import { nothing } from "./usage-source.js";

/** A protocol agent's report of each turn, for agents whose own record is not read. */
export const protocolUsage = usageSource({
  locate:
    ({ folder }) =>
    async () =>
      folder ? [join(folder, PROTOCOL_USAGE_FILE)] : [],
  read(line, state) {
    const entry = jsonIn(line);
    const key = textAt(entry, "id");
    const tokens = TokenCounts.safeParse(at(entry, "tokens"));
    if (key === null || !tokens.success) return nothing(state);
    const filled = countAt(entry, "context");
    const limit = countAt(entry, "limit");
    const context = filled === 0 ? null : { tokens: filled, limit: limit === 0 ? null : limit };
    return { state, answer: { key, atMs: numberAt(entry, "atMs"), model: textAt(entry, "model"), tokens: tokens.data, context } };
  },
});
