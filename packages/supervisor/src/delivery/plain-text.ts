import type { AgentAdapter } from "@tmpm/agents";

/** What is typed for a text, and what was changed so that the agent takes it for a text; null when nothing was. */
export interface PlainText {
  readonly typed: string;
  readonly protection: string | null;
}

/**
 * A beginning that the agent reads as a command, and an end by which it offers a list, are kept from that, unless a command is meant. Where nothing keeps it, that is
 * said.
 */
export function plainText(adapter: AgentAdapter, sent: { readonly text: string; readonly asCommand: boolean }): PlainText {
  const begun = withPlainBeginning(adapter, sent);
  if (sent.asCommand || adapter.text?.listEnd?.test(begun.typed) !== true) return begun;
  const protections = [begun.protection, "a space is added behind it"].filter((protection) => protection !== null);
  return { typed: `${begun.typed} `, protection: protections.join("; ") };
}

function withPlainBeginning(adapter: AgentAdapter, { text, asCommand }: { readonly text: string; readonly asCommand: boolean }): PlainText {
  const beginning = adapter.text?.commands.find((command) => text.startsWith(command));
  if (adapter.text === undefined || beginning === undefined || asCommand) return { typed: text, protection: null };
  const kept = adapter.text.asText(text);
  if (kept !== null) return { typed: kept.text, protection: kept.altered };
  return {
    typed: text,
    protection: `${adapter.title} reads a text that begins with ${beginning} as a command, and nothing is known to keep it from that`,
  };
}
