import type { AgentAdapter, TextPlan } from "@tmpm/agents";
import type { Hold } from "./running.js";

/** How a text is typed. A command is typed unchanged; an agent without text rules may change any text within its declared limits. */
export function plainText({ text: rules, limits }: AgentAdapter, sent: { readonly text: string; readonly asCommand: boolean }): TextPlan {
  const asItIs: TextPlan = { kind: "typed", typed: sent.text, arrives: sent.text, altered: rules === undefined ? limits.alters : null };
  return rules === undefined || sent.asCommand ? asItIs : rules.plan(sent.text);
}

/** Such a text may also be passed in the agent's arguments, where nothing protects it. */
export function arrivesAsItIs({ text: rules }: AgentAdapter, text: string): boolean {
  const plan = rules?.plan(text);
  return plan === undefined || (plan.kind === "typed" && plan.typed === text && plan.arrives === text);
}

export function misreading(why: string): Hold {
  return { reason: "not_a_text", evidence: [why], hint: "Change the text, or send it as a command with `--as-command`." };
}
