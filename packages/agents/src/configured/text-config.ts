import * as z from "zod";
import { Pattern } from "./pattern.js";

/** Changes to a text between the terminal and the agent's conversation. */
export const TextConfig = z.strictObject({
  /** Texts, trimmed, that the agent treats as commands of its own: prefixes (`^/`), or words (`^(?:exit|quit)$`). */
  commands: z.array(Pattern).default([]),
  /** The prefix that keeps such a text a text. Null: it is refused. */
  guard: z.string().min(1).nullable().default(null),
  /** An end at which Enter would choose from a list instead of sending: a space is appended. */
  list_end: Pattern.nullable().default(null),
  /** What the agent trims: blanks and line feeds at the end, or at both ends. */
  trims: z.enum(["end", "both"]).nullable().default(null),
  /** Characters that it removes anywhere. */
  removes: Pattern.nullable().default(null),
  /** A tab becomes four spaces. */
  expands_tabs: z.boolean().default(false),
  /** Characters and their marks are composed (NFC). */
  composes: z.boolean().default(false),
});
export type TextConfig = z.infer<typeof TextConfig>;
