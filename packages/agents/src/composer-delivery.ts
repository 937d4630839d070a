import type { AgentAdapter, Observation, Reading } from "./adapter.js";
import { showsText } from "./shows-text.js";

export interface ComposerAgent {
  readonly title: string;
  readonly read: (screen: Observation) => Reading;
  /** What the input shows in place of a long paste. Global, and matched as often as it occurs. */
  readonly placeholder: RegExp;
}

/** `arrived` and `submitted` of an agent that shows its input and what waits in it. */
export function composerDelivery(agent: ComposerAgent): Pick<AgentAdapter, "arrived" | "submitted"> {
  return {
    arrived: ({ before, now, text }) => arrived(agent, { was: agent.read(before).draft ?? "", is: agent.read(now).draft, text }),
    submitted: ({ typed, now }) => submitted(agent, { was: agent.read(typed), is: agent.read(now) }),
  };
}

/** The input shows the end of the text, or a placeholder for it that was not there before. */
function arrived(agent: ComposerAgent, seen: { readonly was: string; readonly is: string | null; readonly text: string }): string | null {
  const { was, is, text } = seen;
  if (is === null || is === was) return null;
  if (placeholders(agent, is) > placeholders(agent, was)) return "the input shows a placeholder for the pasted text";
  return showsText(is, text) ? "the input shows the text" : null;
}

/** The input that held the text is empty again, or gone because the agent went to work, asks something, or ended. */
function submitted({ title }: ComposerAgent, { was, is }: { readonly was: Reading; readonly is: Reading }): string | null {
  if (is.state === "exited") return was.state === "exited" ? null : `${title} has ended`;
  if (!was.draft) return null;
  if (is.draft === "") return is.state === "working" ? `the input is empty and ${title} works` : "the input is empty again";
  return is.state === "awaiting_approval" || is.state === "awaiting_input" ? `${title} asks something` : null;
}

function placeholders({ placeholder }: ComposerAgent, draft: string): number {
  return draft.match(placeholder)?.length ?? 0;
}
