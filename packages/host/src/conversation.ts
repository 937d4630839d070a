import type { HookReading, Reading, Transcript } from "@tmpm/agents";
import type { OverrideField, PaneIdentity, Screen, Subscription } from "@tmpm/core";

/** The capture of a host with a conversation: the transcript as a screen, and the agent's state according to the protocol. */
export interface ConversationScreen extends Screen {
  /**
   * `source` is `protocol`. `draft` is empty while it accepts a prompt, null otherwise. A pending request is `awaiting_approval` with a
   * `decision` whose `request` is the protocol's id of it.
   */
  readonly reading: Reading;
}

export interface Prompt {
  /** The key of the send: repeated with the same key, the prompt is sent only once. */
  readonly key: string;
  readonly text: string;
}

/** The outcome of a prompt. `taken`: the agent has accepted it and its turn began, with the protocol's evidence for that. */
export type Prompted =
  | { readonly kind: "taken"; readonly evidence: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string }
  /** It was sent, and there is no evidence of its outcome. */
  | { readonly kind: "unknown"; readonly reason: string };

/** A user's answer; choices count from 1. */
export type AnswerGiven =
  | { readonly kind: "approve" }
  | { readonly kind: "deny" }
  | { readonly kind: "choice"; readonly number: number }
  | { readonly kind: "text"; readonly text: string };

export interface Answering {
  /** The `request` of the answered decision. */
  readonly request: string;
  /** `approve` allows once and `deny` refuses once, regardless of the options' labels. Choices count from 1. */
  readonly answer: AnswerGiven;
}

export type SettingOutcome =
  /** From now on. */
  | { readonly kind: "applied" }
  | { readonly kind: "refused"; readonly message: string }
  /** The agent does not accept the change while it runs (`why` null), or not now. */
  | { readonly kind: "later"; readonly why: string | null };

/** An event of a conversation: a change, as a hook of the agent would report it. */
export interface ConversationUpdate {
  readonly pane: PaneIdentity;
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly reading: HookReading;
}

/**
 * An agent that speaks a protocol. Its state is queried with `capture`, reported by `updates`, and never read from a screen. Every call
 * names the terminal that represents the conversation and throws the errors of the host's effects: PANE_GONE, PANE_DEAD, UNRESPONSIVE with
 * its possible effect.
 */
export interface Conversation {
  /** Sends a prompt. Resolves when the agent has accepted it, before its turn ends. Attachments are named in the text. */
  prompt(identity: PaneIdentity, prompt: Prompt): Promise<Prompted>;
  /** The outcome of the prompt with this key; null if it was never sent. Used after a restart of the daemon. */
  prompted(identity: PaneIdentity, key: string): Promise<Prompted | null>;
  /**
   * Asks the agent to cancel its turn, with all pending requests. Resolves when the request was sent; `capture` shows whether it stopped.
   */
  cancel(identity: PaneIdentity): Promise<void>;
  /**
   * Answers a request, once. Resolves with the label of the chosen option. @throws DECISION_GONE with nothing answered, INVALID_ARGUMENT
   * for an unsuitable answer
   */
  answer(identity: PaneIdentity, answering: Answering): Promise<{ readonly label: string }>;
  /** Changes settings of the running agent. */
  set(identity: PaneIdentity, change: { readonly field: OverrideField; readonly value: string | number | null }): Promise<SettingOutcome>;
  /** The transcript, as far as the host keeps it. */
  transcript(identity: PaneIdentity): Promise<Transcript>;
  /** Reports the events of all conversations of the host until closed. */
  updates(listener: (update: ConversationUpdate) => void): Subscription;
}
