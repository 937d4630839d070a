/** One prompt of a conversation, and the agent's reply. Texts are cut at 8 KiB and 64 KiB of UTF-16. */
export interface Exchange {
  readonly prompt: string;
  /** The agent's last message; null before it replies. */
  readonly reply: string | null;
  /** The agent's error, unless a reply followed; null otherwise. */
  readonly error: string | null;
  /** When the prompt was entered, in milliseconds since 1970; null when the record does not have it. */
  readonly atMs: number | null;
  /** The agent continues after its reply, as before a tool call; undefined when the record does not have it. */
  readonly more?: boolean;
}

/** The current content of an agent's own record of a conversation. Texts are cut at 64 KiB of UTF-16. */
export interface Transcript {
  /** The user's last prompt; null before one. */
  readonly prompt: string | null;
  /** The agent's last message to the user; null before any. */
  readonly message: string | null;
  /** Its last message since the last prompt; null before it replies. */
  readonly reply: string | null;
  readonly model: string | null;
  /** Tokens of the conversation at the last response, including it; 0 when not reported. */
  readonly tokens: number;
  /** The model's context window in tokens; 0 when not reported. */
  readonly contextLimit: number;
  /** Number of prompts so far, as far back as was read. */
  readonly prompts: number;
  /** The last few prompts, oldest first; undefined when only the last one is known. */
  readonly exchanges?: readonly Exchange[];
}

/** The change made by one transcript entry. */
export interface TranscriptChange extends Partial<Omit<Transcript, "prompts" | "reply" | "exchanges">> {
  /** The error of the last prompt. */
  readonly error?: string;
  /** When a `prompt` was entered, in milliseconds since 1970. */
  readonly atMs?: number;
  /** Whether the agent continues after this, as before a tool call. */
  readonly more?: boolean;
}

export interface TranscriptRequest {
  readonly conversationId: string;
  /** The environment of the session. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The private folder of the session's hooks; null or undefined without one. */
  readonly folder?: string | null;
}

/** Follows one conversation's record. A read only reads new data. */
export interface TranscriptReader {
  /** The current transcript; null while the agent has no record of the conversation. */
  read(): Promise<Transcript | null>;
}

/** A conversation of an agent, with its start in milliseconds since 1970. */
export interface BegunConversation {
  readonly conversationId: string;
  readonly beganMs: number;
}

/** The user's conversations that began at that time or later, oldest first; without those of sub-agents. */
export type FindBegun = (request: {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
}) => Promise<readonly BegunConversation[]>;

export type OpenTranscript = (request: TranscriptRequest) => TranscriptReader;

export const EMPTY_TRANSCRIPT: Transcript = {
  prompt: null,
  message: null,
  reply: null,
  model: null,
  tokens: 0,
  contextLimit: 0,
  prompts: 0,
};

const MAX_TEXT = 65_536;
const MAX_PROMPT = 8_192;
const EXCHANGES_KEPT = 5;

/** The transcript after a change; omitted fields stay. */
export function withChange(transcript: Transcript, added: TranscriptChange): Transcript {
  const { error, atMs, more, ...change } = added;
  const prompts = transcript.prompts + (change.prompt === undefined ? 0 : 1);
  const reply = change.message ?? (change.prompt === undefined ? transcript.reply : null);
  const texts = { ...cut("prompt", change.prompt), ...cut("message", change.message), ...cut("reply", reply) };
  return { ...transcript, ...change, reply, ...texts, prompts, exchanges: exchangesAfter(transcript.exchanges ?? [], added) };
}

function exchangesAfter(before: readonly Exchange[], { prompt, message, error, atMs, more }: TranscriptChange): readonly Exchange[] {
  const begun = { prompt: (prompt ?? "").slice(0, MAX_PROMPT), reply: null, error: null, atMs: atMs ?? null };
  const exchanges = typeof prompt === "string" ? [...before, begun].slice(-EXCHANGES_KEPT) : before;
  const last = exchanges.at(-1);
  if (last === undefined || (typeof message !== "string" && error === undefined && more === undefined)) return exchanges;
  const said = typeof message === "string" ? { ...last, reply: message.slice(0, MAX_TEXT), error: null } : last;
  const answered = more === undefined ? said : { ...said, more };
  return [...exchanges.slice(0, -1), error === undefined ? answered : { ...answered, error: error.slice(0, MAX_TEXT) }];
}

function cut(field: "prompt" | "message" | "reply", text: string | null | undefined): Partial<Transcript> {
  return text === undefined || text === null ? {} : { [field]: text.slice(0, MAX_TEXT) };
}
