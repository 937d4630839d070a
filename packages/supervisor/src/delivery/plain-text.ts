import type { AgentAdapter, TextPlan } from "@tmpm/agents";
import type { Hold } from "./running.js";

/** How a text is typed. A command is typed as it is; an agent that does not say what it does to texts may do to any what its limits say. */
export function plainText({ text: rules, limits }: AgentAdapter, sent: { readonly text: string; readonly asCommand: boolean }): TextPlan {
  const asItIs: TextPlan = { kind: "typed", typed: sent.text, arrives: sent.text, altered: rules === undefined ? limits.alters : null };
  return rules === undefined || sent.asCommand ? asItIs : rules.plan(sent.text);
}

/** Such a text may also go out in the agent's arguments, where nothing guards it. */
export function arrivesAsItIs({ text: rules }: AgentAdapter, text: string): boolean {
  const plan = rules?.plan(text);
  return plan === undefined || (plan.kind === "typed" && plan.typed === text && plan.arrives === text);
}

export function misreading(why: string): Hold {
  return { reason: "not_a_text", evidence: [why], hint: "Change the text, or send it as a command with `--as-command`." };
}
