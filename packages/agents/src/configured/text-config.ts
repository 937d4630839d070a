import * as z from "zod";
import { Pattern } from "./pattern.js";

/** What becomes of a text between the terminal and the agent's conversation. */
export const TextConfig = z.strictObject({
  /** Texts, without blanks around them, that the agent takes for commands of its own: beginnings (`^/`), or bare words (`^(?:exit|quit)$`). */
  commands: z.array(Pattern).default([]),
  /** What stands before such a text so that it stays a text. Null: it is refused. */
  guard: z.string().min(1).nullable().default(null),
  /** An end at which Enter would choose from a list in place of sending: a space is added behind it. */
  list_end: Pattern.nullable().default(null),
  /** What the agent removes: blanks and line feeds at the end, or at both ends. */
  trims: z.enum(["end", "both"]).nullable().default(null),
  /** Characters that it removes wherever they stand. */
  removes: Pattern.nullable().default(null),
  /** A tab becomes four spaces. */
  expands_tabs: z.boolean().default(false),
  /** Characters and their marks are composed (NFC). */
  composes: z.boolean().default(false),
});
export type TextConfig = z.infer<typeof TextConfig>;
