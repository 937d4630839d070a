import type { MessageEntry, Transcript } from "./transcript.js";

/** The last messages of both sides, as in an agent's own transcript. Texts are cut at 64 KiB of UTF-16. */
export interface LastMessages {
  readonly prompt: string | null;
  readonly message: string | null;
  /** The agent's last message since the last prompt; null before it answers. */
  readonly reply: string | null;
}

const MOST = 65_536;

export function wordsOf({ entries }: Pick<Transcript, "entries">): LastMessages {
  const lastOf = (who: MessageEntry["who"]) => entries.findLastIndex((entry) => entry.kind === "said" && entry.who === who);
  const [prompt, message] = [lastOf("user"), lastOf("agent")];
  const textAt = (at: number) => {
    const entry = entries[at];
    return entry?.kind === "said" ? entry.text.slice(0, MOST) : null;
  };
  return { prompt: textAt(prompt), message: textAt(message), reply: message > prompt ? textAt(message) : null };
}
