/** One change to a text on its way into the agent's conversation. */
export interface TextChange {
  /** In words, for receipts. */
  readonly says: string;
  apply(text: string): string;
}

/** How a text reaches the agent's conversation, known before anything is typed. */
export type TextPlan =
  | {
      readonly kind: "typed";
      readonly typed: string;
      /** What the agent's conversation then holds, to the byte. */
      readonly arrives: string;
      /** In words how that differs from the text, or may differ; null exactly when it does not. */
      readonly altered: string | null;
    }
  /** The agent would not take it for a text, or not exactly, and no way around that is known. */
  | { readonly kind: "refused"; readonly why: string };

export interface AgentText {
  plan(text: string): TextPlan;
  /** How what is typed is pasted: in one piece, or in those that the agent takes as they are. */
  pieces(typed: string): readonly string[];
}

export interface TextRules {
  /** Why the agent would not take what is typed for a text; null when it does. */
  refuses(typed: string): string | null;
  /** Made before the text is typed, so that the agent takes it as it is meant. */
  readonly guards: readonly TextChange[];
  /** Made by the agent, in this order. */
  readonly alters: readonly TextChange[];
  /** In one when not given. */
  pieces?(typed: string): readonly string[];
  /** What the agent may do to what is typed besides, depending on what cannot be seen; null when nothing. */
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
      if (arrives.trim() === "") return { kind: "refused", why: "nothing would arrive: it has no visible characters" };
      const changes = needed([...guards, ...alters], { text, arrives });
      const doubt = doubts(typed);
      const says = [...(arrives === text ? [] : changes.map((change) => change.says)), ...(doubt === null ? [] : [doubt])];
      return { kind: "typed", typed, arrives, altered: says.length === 0 ? null : says.join("; ") };
    },
  };
}

/** What reaches the conversation of an agent for a text that is not meant as a command; null when it is refused. */
export function arrivalOf({ text: rules }: { readonly text?: AgentText }, text: string): string | null {
  const plan = rules?.plan(text);
  if (plan === undefined) return text;
  return plan.kind === "refused" ? null : plan.arrives;
}

function applied(changes: readonly TextChange[], text: string): string {
  return changes.reduce((sofar, { apply }) => apply(sofar), text);
}

/** Without those that another one undoes, as a space that is added and trimmed again. */
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
