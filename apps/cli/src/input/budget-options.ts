import type { SetBody } from "@tmpm/api";
import { usageError } from "../parse/usage-error.js";

/** The given budget options, by prefix; undefined without any. @throws INVALID_ARGUMENT */
export function budgetOf<P extends "budget" | "lineage">(prefix: P, values: BudgetValues<P>): SetBody["budget"] {
  const texts: Readonly<Record<string, string | undefined>> = values;
  const [tokens, turns, minutes] = KINDS.map((kind) => boundOf(texts[`${prefix}${kind}`], `--${prefix}-${kind.toLowerCase()}`));
  if (tokens === undefined && turns === undefined && minutes === undefined) return undefined;
  return { tokens, turns, minutes };
}

const KINDS = ["Tokens", "Turns", "Minutes"] as const;

/** The given options of a budget. */
export type BudgetValues<P extends string> = Readonly<Record<`${P}${(typeof KINDS)[number]}`, string | undefined>>;

const FACTORS: Readonly<Record<string, number>> = { "": 1, k: 1_000, M: 1_000_000, G: 1_000_000_000 };

/** An empty text removes a limit. */
function boundOf(text: string | undefined, flag: string): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "") return null;
  const [, count = "", unit = ""] = /^([1-9]\d{0,8})([kMG]?)$/.exec(text) ?? [];
  const factor = FACTORS[unit];
  if (count !== "" && factor !== undefined) return Number(count) * factor;
  throw usageError(`${flag} takes a number, not ${JSON.stringify(text)}`, "For example 500k or 2M; an empty value removes the limit.");
}
