/** Keys by tmux's names (`Enter`, `Escape`, `Down`, `y`), each to be sent on its own, in this order. */
export type KeyPlan = readonly [string, ...string[]];

/** An agent's question on its screen, as data. It is bound to that screen: keys are valid only while the same question is shown. */
export interface Decision {
  readonly kind: "approval" | "question";
  /** The tool that the agent wants to use, in its own words (`Bash command`); null when the screen does not show it. */
  readonly tool: string | null;
  /** The exact command, file or question as shown, rows joined by LF. */
  readonly subject: string;
  readonly choices: readonly Choice[];
  /** Only a colour shows which choice is marked: the keys count from the first one, and a step cannot be seen. */
  readonly markHidden?: boolean;
  /** The agent's id of its question over a protocol; the answer refers to it instead of keys. */
  readonly request?: string;
}

/** The visible part of a truncated question. Only a caller with the agent's own words can identify it. */
export interface CutDecision {
  /** The visible parts of its subject, in order. */
  readonly pieces: readonly [string, ...string[]];
  /** As far as visible. */
  readonly decision: Decision;
}

export interface Choice {
  /** As shown, without its number. */
  readonly label: string;
  /** Chooses and confirms it from the visible state; null when the keys are unknown. */
  readonly keys: KeyPlan | null;
  /** Prompts for free text: the keys only lead there, then the text is typed and Enter pressed. */
  readonly takesText: boolean;
}
