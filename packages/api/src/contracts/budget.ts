import * as z from "zod";

const bound = z.number().int().positive().max(1_000_000_000_000).nullable().optional();

/** The limits of a budget to change; `minutes` counts the run time of turns. */
export const BudgetBody = z.strictObject({ tokens: bound, turns: bound, minutes: bound });
export type BudgetBody = z.input<typeof BudgetBody>;
