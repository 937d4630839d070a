import type { SetBody } from "@tmpm/api";
import { usageError } from "../parse/usage-error.js";

interface Bounds {
  readonly budgetTokens: string | undefined;
  readonly budgetTurns: string | undefined;
  readonly budgetMinutes: string | undefined;
}

/** What of a budget was named; undefined when nothing was. @throws INVALID_ARGUMENT */
export function budgetOf({ budgetTokens, budgetTurns, budgetMinutes }: Bounds): SetBody["budget"] {
  if (budgetTokens === undefined && budgetTurns === undefined && budgetMinutes === undefined) return undefined;
  return {
    tokens: boundOf(budgetTokens, "--budget-tokens"),
    turns: boundOf(budgetTurns, "--budget-turns"),
    minutes: boundOf(budgetMinutes, "--budget-minutes"),
  };
}

const FACTORS: Readonly<Record<string, number>> = { "": 1, k: 1_000, M: 1_000_000, G: 1_000_000_000 };

/** An empty text takes a bound away. */
function boundOf(text: string | undefined, flag: string): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "") return null;
  const [, count = "", unit = ""] = /^([1-9]\d{0,8})([kMG]?)$/.exec(text) ?? [];
  const factor = FACTORS[unit];
  if (count !== "" && factor !== undefined) return Number(count) * factor;
  throw usageError(`${flag} takes a number, not ${JSON.stringify(text)}`, "For example 500k or 2M; an empty value takes the bound away.");
}
