import * as z from "zod";
import { count } from "./contract.js";

/** What every list takes in its query. */
export const paging = {
  limit: count(1, 1000).optional().describe("At most so many; without it all."),
  cursor: z.string().min(1).max(2000).optional().describe("`next` of the page before, with the same filters and order."),
};

/** `next` of every list. */
export const next = z.string().nullable().describe("What to pass as `cursor` for the page that follows; null at the end.");

/** Several words in a query, separated by commas. */
export const anyOf = <T extends z.ZodType<unknown, string>>(word: T) =>
  z
    .union([z.array(z.string()), z.string().transform((text) => text.split(","))])
    .pipe(z.array(word).min(1))
    .optional()
    .describe("Any of these, separated by commas.");
