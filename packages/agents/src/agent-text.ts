/** What becomes of a text between its terminal and the agent's conversation. */
export interface AgentText {
  /** Beginnings of a text (`/`, `!`) by which the agent takes it for a command of its own. */
  readonly commands: readonly string[];
  /** An end of a text by which Enter would not send it: one that opens a list, from which Enter chooses. A space behind it keeps it from that. */
  readonly listEnd?: RegExp;
  /** What to type so that a text with such a beginning stays a text, and in words what then differs from it; null when nothing keeps it from being a command. */
  asText(text: string): { readonly text: string; readonly altered: string | null } | null;
  /** What the agent does on its own to this text, in words; null when it keeps all of it. */
  alters(text: string): string | null;
}
