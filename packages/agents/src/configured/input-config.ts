import * as z from "zod";
import { Pattern } from "./pattern.js";

/** The input of an agent, which may have several rows. It is looked for from the end of the screen. */
export const InputConfig = z.strictObject({
  /** Its first row; the first group is what was typed. */
  first: Pattern,
  /** Its other rows, in the same way; null for an input of one row. */
  more: Pattern.nullable().default(null),
  /** The row right above it, and the row right below it; null when any may stand there. */
  above: Pattern.nullable().default(null),
  below: Pattern.nullable().default(null),
  /** A row somewhere below it; null when none has to be there. */
  footer: Pattern.nullable().default(null),
  /** How the agent draws a suggestion of its own in an empty input: cells that look so are not typed. */
  suggestion: z.array(z.enum(["faint", "grey", "italic"])).default([]),
});
export type InputConfig = z.infer<typeof InputConfig>;
