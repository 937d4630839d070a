/** Keys in tmux's words (`Enter`, `Escape`, `Down`, `y`), each to be sent on its own, in this order. */
export type KeyPlan = readonly [string, ...string[]];

/** What an agent asks on its screen, as data. It is bound to that screen: keys are right only as long as the same question shows. */
export interface Decision {
  readonly kind: "approval" | "question";
  /** What the agent wants to use, in its own words (`Bash command`); null when the screen does not say. */
  readonly tool: string | null;
  /** The exact command, file or question as shown, rows joined by LF. */
  readonly subject: string;
  readonly choices: readonly Choice[];
  /** Only a colour shows which choice is marked: the keys count from the first one, and a step cannot be seen. */
  readonly markHidden?: boolean;
  /** The agent's own id of what it asks, where it speaks a protocol; it is answered by that instead of by keys. */
  readonly request?: string;
}

/** What shows of a question that is cut off. Only a caller with its words from the agent itself can determine whether this is it. */
export interface CutDecision {
  /** What shows of its subject, in order, without what is cut off between. */
  readonly pieces: readonly [string, ...string[]];
  /** As far as it shows. */
  readonly decision: Decision;
}

export interface Choice {
  /** As shown, without its number. */
  readonly label: string;
  /** Choose and confirm it from the state shown; null when it cannot be determined how. */
  readonly keys: KeyPlan | null;
  /** Asks for text of one's own: the keys only lead there, then the text is typed and Enter pressed. */
  readonly takesText: boolean;
}
