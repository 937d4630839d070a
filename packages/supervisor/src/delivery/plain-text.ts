import type { AgentAdapter } from "@tmpm/agents";

/** What is typed for a text, and what was changed so that the agent takes it for a text; null when nothing was. */
export interface PlainText {
  readonly typed: string;
  readonly protection: string | null;
}

/** A beginning that the agent reads as a command is kept from that, unless a command is meant. Where nothing keeps it, that is said. */
export function plainText(adapter: AgentAdapter, sent: { readonly text: string; readonly asCommand: boolean }): PlainText {
  const { text, asCommand } = sent;
  const beginning = adapter.text?.commands.find((command) => text.startsWith(command));
  if (adapter.text === undefined || beginning === undefined || asCommand) return { typed: text, protection: null };
  const kept = adapter.text.asText(text);
  if (kept !== null) return { typed: kept.text, protection: kept.altered };
  return {
    typed: text,
    protection: `${adapter.title} reads a text that begins with ${beginning} as a command, and nothing is known to keep it from that`,
  };
}
