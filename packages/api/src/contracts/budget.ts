import * as z from "zod";

const bound = z.number().int().positive().max(1_000_000_000_000).nullable().optional();

/** The bounds of a budget that are to change; `minutes` are those that turns ran. */
export const BudgetBody = z.strictObject({ tokens: bound, turns: bound, minutes: bound });
export type BudgetBody = z.input<typeof BudgetBody>;
