import type { Counts } from "./counts.js";
import type { Limit, Refusal } from "./limits.js";

/** A tool that an agent offers to the model. */
export interface Tool {
  readonly name: string;
  /** Codex puts some tools into a named group. */
  readonly namespace: string | null;
  /** JSON Schema of its arguments. */
  readonly schema: unknown;
}

/** One request of an agent, in any protocol. Texts are in the order of the conversation. */
export interface Conversation {
  readonly model: string;
  readonly stream: boolean;
  /** Each text block with the user's role. */
  readonly userTexts: readonly string[];
  /** Results of tools after the last of the user's own texts. */
  readonly results: readonly string[];
  readonly tools: readonly Tool[];
  /** The JSON Schema of the answer; null for free text. */
  readonly answerSchema: unknown;
}

export interface ToolCall {
  readonly name: string;
  readonly namespace: string | null;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Reply {
  /** 200 for an answer. */
  readonly status: number;
  /** Number of refusals before the request is answered; infinite for permanent refusal. */
  readonly times: number;
  /** A usage limit of the user, instead of an answer; null otherwise. */
  readonly limit: Limit | null;
  readonly text: string;
  readonly call: ToolCall | null;
  /** Delay of the answer's first word, in ms. */
  readonly waitMs: number;
  /** Time over which the words are spread, in ms. */
  readonly dripMs: number;
  /** Never answers, until the agent gives up. */
  readonly hang: boolean;
}

/** Sends one answer, piece by piece. */
export interface Writer {
  /** A body of server-sent events. */
  event(data: unknown, name?: string): void;
  /** Waits this many ms; rejects once the agent has disconnected. */
  wait(ms: number): Promise<void>;
  end(): void;
  json(status: number, body: unknown): void;
  refuse(refusal: Refusal): void;
}

export interface Protocol {
  readonly name: string;
  /** The conversation of a request to this path, or null for any other path. */
  read(path: string, body: unknown): Conversation | null;
  answer(writer: Writer, exchange: { readonly conversation: Conversation; readonly reply: Reply; readonly counts: Counts }): Promise<void>;
  error(status: number): unknown;
}
