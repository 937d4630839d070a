import type { HookReading, Reading, Transcript } from "@tmpm/agents";
import type { OverrideField, PaneIdentity, Screen, Subscription } from "@tmpm/core";

/** What a host with a conversation captures: the transcript as a screen, and what the protocol says of the agent now. */
export interface ConversationScreen extends Screen {
  /**
   * `source` is `protocol`. `draft` is empty while it takes a prompt, null otherwise. A request that waits for an answer is `awaiting_approval` with a `decision`
   * whose `request` is the protocol's id of it.
   */
  readonly reading: Reading;
}

export interface Prompt {
  /** Of the send: given again, the same prompt, which is never put twice. */
  readonly key: string;
  readonly text: string;
}

/** What became of a prompt. `taken`: the agent has it and its turn began, with the protocol's words for that. */
export type Prompted =
  | { readonly kind: "taken"; readonly evidence: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string }
  /** It went out, and no answer shows what became of it. */
  | { readonly kind: "unknown"; readonly reason: string };

/** An answer as a person gives it; choices count from 1. */
export type AnswerGiven =
  | { readonly kind: "approve" }
  | { readonly kind: "deny" }
  | { readonly kind: "choice"; readonly number: number }
  | { readonly kind: "text"; readonly text: string };

export interface Answering {
  /** The `request` of the decision that is answered. */
  readonly request: string;
  /** `approve` allows once and `deny` refuses once, whatever the options are called. Choices count from 1. */
  readonly answer: AnswerGiven;
}

export type SettingOutcome =
  /** From now on. */
  | { readonly kind: "applied" }
  | { readonly kind: "refused"; readonly message: string }
  /** The agent does not accept the change while it runs (`why` null), or not now. */
  | { readonly kind: "later"; readonly why: string | null };

/** Something that happened in a conversation: an edge, as a hook of the agent would report it. */
export interface ConversationUpdate {
  readonly pane: PaneIdentity;
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly reading: HookReading;
}

/**
 * An agent that speaks a protocol. What it does is asked of `capture`, reported by `updates`, and never read from a screen. Every call names the terminal that stands
 * for the conversation and throws what effects of the host throw: PANE_GONE, PANE_DEAD, UNRESPONSIVE with the effect that it may have had.
 */
export interface Conversation {
  /** Puts a prompt. Resolves when the agent has taken it, not when its turn is over. Attachments are named in the text. */
  prompt(identity: PaneIdentity, prompt: Prompt): Promise<Prompted>;
  /** What became of the prompt of this key; null when it was never put. For a daemon that ended in between. */
  prompted(identity: PaneIdentity, key: string): Promise<Prompted | null>;
  /** Asks the agent to break off what it does, with every request of it that waits. Resolves when it was asked; that it stopped shows in `capture`. */
  cancel(identity: PaneIdentity): Promise<void>;
  /** Answers a request, once. Resolves with the label of what was chosen. @throws DECISION_GONE with nothing answered, INVALID_ARGUMENT for an answer that does not fit */
  answer(identity: PaneIdentity, answering: Answering): Promise<{ readonly label: string }>;
  /** Changes what the agent uses while it runs. */
  set(identity: PaneIdentity, change: { readonly field: OverrideField; readonly value: string | number | null }): Promise<SettingOutcome>;
  /** What was said, as far as the host keeps it. */
  transcript(identity: PaneIdentity): Promise<Transcript>;
  /** Reports what happens in all conversations of the host until closed. */
  updates(listener: (update: ConversationUpdate) => void): Subscription;
}
