import { TokenCounts } from "@tmpm/core";
import * as z from "zod";

const count = z.number().nonnegative().transform(Math.floor);
const maybe = count.nullish().transform((value) => value ?? 0);

/** The tokens of a turn that the protocol's draft adds to its end: not yet in the stable protocol, so they are read from the raw answer. */
const WithUsage = z.object({
  result: z.object({
    stopReason: z.string(),
    usage: z.object({
      totalTokens: count,
      inputTokens: count,
      outputTokens: count,
      thoughtTokens: maybe,
      cachedReadTokens: maybe,
      cachedWriteTokens: maybe,
    }),
  }),
});

/** The usage of a turn in a message; null for any other message, and for counts that cannot be true. */
export function turnUsageIn(message: unknown): TokenCounts | null {
  const found = WithUsage.safeParse(message);
  if (!found.success) return null;
  const { totalTokens, inputTokens, outputTokens, thoughtTokens, cachedReadTokens, cachedWriteTokens } = found.data.result.usage;
  const cached = cachedReadTokens + cachedWriteTokens;
  // The draft does not define whether these are parts of the others: the total shows it.
  const cachedWithin = totalTokens < inputTokens + outputTokens + cached;
  const input = cachedWithin ? Math.max(0, inputTokens - cached) : inputTokens;
  const thoughtBeside = totalTokens >= input + cached + outputTokens + thoughtTokens;
  const counts = TokenCounts.safeParse({
    input,
    cache_read: cachedReadTokens,
    cache_write: cachedWriteTokens,
    output: thoughtBeside ? outputTokens + thoughtTokens : outputTokens,
    reasoning: thoughtTokens,
  });
  return counts.success ? counts.data : null;
}
