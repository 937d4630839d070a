import type { ContextFill, TokenCounts } from "@tmpm/core";

interface Usage {
  readonly tokens: TokenCounts;
  readonly context: ContextFill | null;
}

const UNITS = [
  { from: 1_000_000_000, unit: "G" },
  { from: 1_000_000, unit: "M" },
  { from: 1_000, unit: "k" },
] as const;

/** `950`, `1.2k`, `48k`, `3.4M`. */
export function tokensText(count: number): string {
  const unit = UNITS.find(({ from }) => count >= from);
  if (unit === undefined) return String(count);
  const size = count / unit.from;
  return `${size < 10 ? (Math.floor(size * 10) / 10).toFixed(1) : Math.floor(size)}${unit.unit}`;
}

/** All except reasoning, which is part of the output. */
export function allTokens({ input, cache_read, cache_write, output }: TokenCounts): number {
  return input + cache_read + cache_write + output;
}

/** A session's usage and last context usage, as text; empty without counts. */
export function usageText({ usage }: { readonly usage: Usage | null }): string {
  if (usage === null) return "";
  const { tokens, context } = usage;
  const parts = [`${tokensText(tokens.input)} input`, `${tokensText(tokens.cache_read)} from cache`, `${tokensText(tokens.output)} output`];
  const filled = context === null ? "" : `; context ${contextText(context)}`;
  return `${tokensText(allTokens(tokens))} tokens (${parts.join(", ")})${filled}`;
}

/** `42 %` of the context window, or its tokens if the size is unknown. */
export function contextText(context: ContextFill | null): string {
  if (context === null) return "-";
  return context.limit === null ? tokensText(context.tokens) : `${Math.round((100 * context.tokens) / context.limit)} %`;
}
