import * as z from "zod";
import { count } from "./contract.js";

/** Query parameters of every list. */
export const paging = {
  limit: count(1, 1000).optional().describe("Maximum number; all by default."),
  cursor: z.string().min(1).max(2000).optional().describe("`next` of the previous page, with the same filters and order."),
};

/** `next` of every list. */
export const next = z.string().nullable().describe("`cursor` of the next page; null at the end.");

/** Several comma-separated words in a query. */
export const anyOf = <T extends z.ZodType<unknown, string>>(word: T) =>
  z
    .union([z.array(z.string()), z.string().transform((text) => text.split(","))])
    .pipe(z.array(word).min(1))
    .optional()
    .describe("Any of these, separated by commas.");
