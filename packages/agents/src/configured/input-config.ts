import * as z from "zod";
import { Pattern } from "./pattern.js";

/** An agent's input, which may have several rows. It is searched from the end of the screen. */
export const InputConfig = z.strictObject({
  /** Its first row; the first group is the typed text. */
  first: Pattern,
  /** Its other rows, likewise; null for a one-row input. */
  more: Pattern.nullable().default(null),
  /** The row directly above it, and the one directly below it; null for any. */
  above: Pattern.nullable().default(null),
  below: Pattern.nullable().default(null),
  /** A row somewhere below it; null when not required. */
  footer: Pattern.nullable().default(null),
  /** The style of the agent's own suggestion in an empty input: such cells are not typed text. */
  suggestion: z.array(z.enum(["faint", "grey", "italic"])).default([]),
});
export type InputConfig = z.infer<typeof InputConfig>;
