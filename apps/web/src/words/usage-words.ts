import type { SessionAnswer } from "@tmpm/api";

const STEPS = [
  { from: 1e9, unit: "G" },
  { from: 1e6, unit: "M" },
  { from: 1e3, unit: "k" },
] as const;

/** A count in two or three digits: `950`, `12 k`, `1.2 M`. */
export function roughly(count: number): string {
  const step = STEPS.find(({ from }) => count >= from);
  if (step === undefined) return String(count);
  const value = count / step.from;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${step.unit}`;
}

export function money(dollars: number | null): string {
  return dollars === null ? "–" : `$${dollars.toFixed(dollars < 10 ? 2 : 0)}`;
}

type Tokens = NonNullable<SessionAnswer["usage"]>["tokens"];

/** Input tokens, including those from a cache. */
export function read({ input, cache_read, cache_write }: Tokens): number {
  return input + cache_read + cache_write;
}

/** A session's context usage and tokens; empty without counts. */
export function usageLine({ usage }: Pick<SessionAnswer, "usage">): string {
  if (usage === null) return "";
  const { context, tokens } = usage;
  const fill =
    context === null
      ? []
      : [
          context.limit === null
            ? `${roughly(context.tokens)} of context`
            : `${Math.round((100 * context.tokens) / context.limit)} % of context`,
        ];
  return [...fill, `${roughly(read(tokens) + tokens.output)} tokens`].join(", ");
}
