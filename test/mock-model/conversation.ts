import type { Counts } from "./counts.js";
import type { Limit, Refusal } from "./limits.js";

/** A tool that an agent offers to the model. */
export interface Tool {
  readonly name: string;
  /** Codex groups some tools under a name of their own. */
  readonly namespace: string | null;
  /** JSON Schema of its arguments. */
  readonly schema: unknown;
}

/** One request of an agent, whatever protocol it came in. Texts are in the order of the conversation. */
export interface Conversation {
  readonly model: string;
  readonly stream: boolean;
  /** Each text block that came as the user's. */
  readonly userTexts: readonly string[];
  /** Results of tools after the last of the user's own texts. */
  readonly results: readonly string[];
  readonly tools: readonly Tool[];
  /** The JSON Schema that the answer has to follow; null for free text. */
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
  /** The request is refused so often before it is answered; for good where it is infinite. */
  readonly times: number;
  /** A limit of the user that is reached, instead of an answer; null otherwise. */
  readonly limit: Limit | null;
  readonly text: string;
  readonly call: ToolCall | null;
  /** How long the answer is open before its first word, in ms. */
  readonly waitMs: number;
  /** Over how long the words are spread, in ms. */
  readonly dripMs: number;
  /** Never answers, until the agent gives up. */
  readonly hang: boolean;
}

/** Sends one answer, piece by piece. */
export interface Writer {
  /** A body of server-sent events. */
  event(data: unknown, name?: string): void;
  /** Waits so many ms; rejects once the agent has gone. */
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
