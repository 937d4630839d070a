import { open } from "node:fs/promises";
import { join } from "node:path";
import { countAt, listAt, numberAt, textAt } from "../files/json-path.js";
import { isMissing } from "../files/line-reader.js";
import type { Exchange, OpenTranscript, Transcript } from "../files/transcript.js";

/** The plugin truncates texts, so a longer one is not its own. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The record that tmpm's plugin keeps of an OpenCode conversation, since OpenCode's own store is a database. Nothing without hooks, and
 * nothing from before them.
 */
export const opencodeTranscript: OpenTranscript = ({ conversationId, folder }) => {
  const path = folder && /^ses_\w+$/u.test(conversationId) ? join(folder, `opencode-${conversationId}.json`) : null;
  let stamp = "";
  let transcript: Transcript | null = null;
  return {
    async read() {
      const found = path === null ? null : await readChanged(path, stamp);
      if (found !== null) ({ stamp, transcript } = { stamp: found.stamp, transcript: found.transcript ?? transcript });
      return transcript;
    },
  };
};

interface Found {
  readonly stamp: string;
  /** Null for a document that is not a transcript. */
  readonly transcript: Transcript | null;
}

/** Null when the file is missing or unchanged. It is replaced atomically. */
async function readChanged(path: string, before: string): Promise<Found | null> {
  const handle = await open(path, "r").catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    const { ino, size, mtimeMs } = await handle.stat();
    const stamp = `${ino} ${size} ${mtimeMs}`;
    if (stamp === before) return null;
    return { stamp, transcript: size > MAX_BYTES ? null : parse(await handle.readFile("utf8")) };
  } finally {
    await handle.close();
  }
}

function parse(text: string): Transcript | null {
  try {
    const document: unknown = JSON.parse(text);
    return {
      prompt: textAt(document, "prompt"),
      message: textAt(document, "message"),
      reply: textAt(document, "reply"),
      model: textAt(document, "model"),
      tokens: countAt(document, "tokens"),
      contextLimit: countAt(document, "contextLimit"),
      prompts: countAt(document, "prompts"),
      exchanges: listAt(document, "exchanges").map(exchange),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function exchange(kept: unknown): Exchange {
  return {
    prompt: textAt(kept, "prompt") ?? "",
    reply: textAt(kept, "reply"),
    error: textAt(kept, "error"),
    atMs: numberAt(kept, "atMs"),
  };
}
