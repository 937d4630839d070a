/** One prompt of a conversation, and what the agent answered. Texts are cut at 8 KiB and 64 KiB of UTF-16. */
export interface Exchange {
  readonly prompt: string;
  /** What the agent said last; null before it answers. */
  readonly reply: string | null;
  /** What the agent says went wrong, unless it answered after that; null otherwise. */
  readonly error: string | null;
  /** When the prompt went in, in milliseconds since 1970; null where the record does not report it. */
  readonly atMs: number | null;
  /** The agent continues after its reply, as before a tool that it uses; absent where the record does not report it. */
  readonly more?: boolean;
}

/** What an agent's own record of a conversation says so far. Texts are cut at 64 KiB of UTF-16. */
export interface Transcript {
  /** The user's last prompt; null before one. */
  readonly prompt: string | null;
  /** The agent's last words to the user; null before any. */
  readonly message: string | null;
  /** What it said last since the last prompt; null before it answers. */
  readonly reply: string | null;
  readonly model: string | null;
  /** Tokens of the conversation that the last answer was made from and added to; 0 when not reported. */
  readonly tokens: number;
  /** The model's context window in tokens; 0 when not reported. */
  readonly contextLimit: number;
  /** Prompts so far, as far back as was read. */
  readonly prompts: number;
  /** The last few prompts, oldest first; absent where only the last one is known. */
  readonly exchanges?: readonly Exchange[];
}

/** The change that one entry of a transcript makes. */
export interface TranscriptChange extends Partial<Omit<Transcript, "prompts" | "reply" | "exchanges">> {
  /** What went wrong with the last prompt. */
  readonly error?: string;
  /** When a `prompt` went in, in milliseconds since 1970. */
  readonly atMs?: number;
  /** Whether the agent continues after this, as before a tool that it uses. */
  readonly more?: boolean;
}

export interface TranscriptRequest {
  readonly conversationId: string;
  /** The environment of the session. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The private folder that the session's hooks were given; null or absent without one. */
  readonly folder?: string | null;
}

/** Follows one conversation's record. A read looks only at what is new. */
export interface TranscriptReader {
  /** The transcript as it is now; null while the agent has kept nothing of the conversation. */
  read(): Promise<Transcript | null>;
}

/** A conversation of an agent, and when it began, in milliseconds since 1970. */
export interface BegunConversation {
  readonly conversationId: string;
  readonly beganMs: number;
}

/** The conversations of the user that began at that moment or later, oldest first; those of sub-agents are left out. */
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

/** The transcript after a change; what the change does not speak of stays. */
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
