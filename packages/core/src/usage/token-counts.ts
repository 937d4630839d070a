import * as z from "zod";

const count = z.number().int().nonnegative();

/** A model's input and output tokens. `input` excludes cached tokens; `output` includes `reasoning`. */
export const TokenCounts = z.object({
  input: count,
  cache_read: count,
  cache_write: count,
  output: count,
  reasoning: count,
});
export type TokenCounts = z.infer<typeof TokenCounts>;

export const NO_TOKENS: TokenCounts = { input: 0, cache_read: 0, cache_write: 0, output: 0, reasoning: 0 };

export function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    input: a.input + b.input,
    cache_read: a.cache_read + b.cache_read,
    cache_write: a.cache_write + b.cache_write,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** `a` minus `b`, never negative. */
export function tokensBeyond(a: TokenCounts, b: TokenCounts): TokenCounts {
  const beyond = (more: number, less: number) => Math.max(0, more - less);
  return {
    input: beyond(a.input, b.input),
    cache_read: beyond(a.cache_read, b.cache_read),
    cache_write: beyond(a.cache_write, b.cache_write),
    output: beyond(a.output, b.output),
    reasoning: beyond(a.reasoning, b.reasoning),
  };
}

/** Reasoning is part of output, and does not count again. */
export function sumOfTokens({ input, cache_read, cache_write, output }: TokenCounts): number {
  return input + cache_read + cache_write + output;
}

export function sameTokens(a: TokenCounts, b: TokenCounts): boolean {
  return (
    a.input === b.input &&
    a.cache_read === b.cache_read &&
    a.cache_write === b.cache_write &&
    a.output === b.output &&
    a.reasoning === b.reasoning
  );
}
