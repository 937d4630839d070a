/** What an agent's own record of a conversation says so far. Texts are cut at 64 KiB of UTF-16. */
export interface Transcript {
  /** The user's last prompt; null before one. */
  readonly prompt: string | null;
  /** The agent's last words to the user; null before any. */
  readonly message: string | null;
  /** What it said last since the last prompt; null before it answers. */
  readonly reply: string | null;
  readonly model: string | null;
  /** Tokens of the conversation that the last answer was made from and added to; 0 when not told. */
  readonly tokens: number;
  /** The model's context window in tokens; 0 when not told. */
  readonly contextLimit: number;
  /** Prompts so far, as far back as was read. */
  readonly prompts: number;
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

/** The transcript after a change; what the change does not speak of stays. */
export function withChange(transcript: Transcript, change: Partial<Omit<Transcript, "prompts">>): Transcript {
  const prompts = transcript.prompts + (change.prompt === undefined ? 0 : 1);
  const reply = change.message ?? (change.prompt === undefined ? transcript.reply : null);
  const texts = { ...cut("prompt", change.prompt), ...cut("message", change.message), ...cut("reply", reply) };
  return { ...transcript, ...change, reply, ...texts, prompts };
}

function cut(field: "prompt" | "message" | "reply", text: string | null | undefined): Partial<Transcript> {
  return text === undefined || text === null ? {} : { [field]: text.slice(0, MAX_TEXT) };
}
