/** One change to a text on its way into the agent's conversation. */
export interface TextChange {
  /** In words, for receipts. */
  readonly says: string;
  apply(text: string): string;
}

/** How a text will reach the agent's conversation, known before anything is typed. */
export type TextPlan =
  | {
      readonly kind: "typed";
      readonly typed: string;
      /** The exact text in the agent's conversation afterwards. */
      readonly arrives: string;
      /** How that differs from the text, or may differ, in words; null exactly when it does not. */
      readonly altered: string | null;
    }
  /** The agent would read it as something else, or not exactly, and no way around that is known. */
  | { readonly kind: "refused"; readonly why: string };

export interface AgentText {
  plan(text: string): TextPlan;
  /** How it is pasted: whole, or in pieces that the agent accepts. */
  pieces(typed: string): readonly string[];
}

export interface TextRules {
  /** Why the agent would not read it as a text; null when it does. */
  refuses(typed: string): string | null;
  /** Changes made before typing, so that the agent reads it as meant. */
  readonly guards: readonly TextChange[];
  /** Changes made by the agent, in this order. */
  readonly alters: readonly TextChange[];
  /** One piece when undefined. */
  pieces?(typed: string): readonly string[];
  /** Other changes that the agent may make, depending on invisible state; null without any. */
  doubts?(typed: string): string | null;
}

export function agentText({ refuses, guards, alters, pieces = (typed) => [typed], doubts = () => null }: TextRules): AgentText {
  return {
    pieces,
    plan(text) {
      const typed = applied(guards, text);
      const why = refuses(typed);
      if (why !== null) return { kind: "refused", why };
      const arrives = applied(alters, typed);
      if (arrives.trim() === "") return { kind: "refused", why: "it has no visible characters, so nothing would arrive" };
      const changes = needed([...guards, ...alters], { text, arrives });
      const doubt = doubts(typed);
      const says = [...(arrives === text ? [] : changes.map((change) => change.says)), ...(doubt === null ? [] : [doubt])];
      return { kind: "typed", typed, arrives, altered: says.length === 0 ? null : says.join("; ") };
    },
  };
}

/** The text that reaches an agent's conversation if it is not meant as a command; null when it is refused. */
export function arrivalOf({ text: rules }: { readonly text?: AgentText }, text: string): string | null {
  const plan = rules?.plan(text);
  if (plan === undefined) return text;
  return plan.kind === "refused" ? null : plan.arrives;
}

function applied(changes: readonly TextChange[], text: string): string {
  return changes.reduce((sofar, { apply }) => apply(sofar), text);
}

/** Without changes that another one reverts, such as an appended and trimmed space. */
function needed(
  changes: readonly TextChange[],
  { text, arrives }: { readonly text: string; readonly arrives: string },
): readonly TextChange[] {
  // One change may be made twice, before and by the agent.
  const each = changes.map((change) => ({ ...change }));
  return each.reduce<readonly TextChange[]>((kept, change) => {
    const without = kept.filter((other) => other !== change);
    return applied(without, text) === arrives ? without : kept;
  }, each);
}
