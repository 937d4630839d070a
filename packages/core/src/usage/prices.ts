import * as z from "zod";
import type { TokenCounts } from "./token-counts.js";

const dollars = z.number().nonnegative();

/** US dollars per million tokens. A part without a price costs as much as `input`. */
export const ModelPrice = z.object({
  input: dollars,
  output: dollars,
  cache_read: dollars.optional(),
  cache_write: dollars.optional(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

/**
 * Prices of models. A name also matches the model's dated versions and its variants in brackets, but no longer name: that is another model,
 * which may cost ten times as much. Null for a model without a reliable price.
 */
export const PriceTable = z.object({
  /** The date of the prices. */
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "not a day such as 2026-11-28"),
  /** Their source; null when the table has none. */
  source: z.string().nullable().default(null),
  currency: z.literal("USD").default("USD"),
  models: z.record(z.string().min(1), ModelPrice.nullable()),
});
export type PriceTable = z.infer<typeof PriceTable>;

/** What may follow a model's name: a date, a revision, a variant in brackets. */
const SAME_MODEL = /^(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest|default))?(?:-v\d+(?::\d+)?)?(?:\[\w+\])?$/;

const MILLION = 1_000_000;

/** In US dollars; null for an unknown model. */
export function estimateCost(table: PriceTable, used: { readonly model: string | null; readonly tokens: TokenCounts }): number | null {
  const price = priceOf(table, used.model);
  if (price === null) return null;
  const { input, cache_read, cache_write, output } = used.tokens;
  const sum =
    input * price.input +
    cache_read * (price.cache_read ?? price.input) +
    cache_write * (price.cache_write ?? price.input) +
    output * price.output;
  return sum / MILLION;
}

function priceOf({ models }: PriceTable, model: string | null): ModelPrice | null {
  if (model === null) return null;
  // A provider's prefix, as in `anthropic/claude-opus-4-5`, is ignored.
  const name = model.slice(model.lastIndexOf("/") + 1);
  const fitting = Object.keys(models).filter((known) => name.startsWith(known) && SAME_MODEL.test(name.slice(known.length)));
  const longest = fitting.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? null : (models[longest] ?? null);
}
