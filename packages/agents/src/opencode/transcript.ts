import { open } from "node:fs/promises";
import { join } from "node:path";
import { countAt, listAt, numberAt, textAt } from "../files/json-path.js";
import { isMissing } from "../files/line-reader.js";
import type { Exchange, OpenTranscript, Transcript } from "../files/transcript.js";

/** The plugin cuts texts, so what is longer is not its own. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What tmpm's plugin keeps of a conversation of OpenCode, whose own store is a database. Nothing without hooks, and nothing of what was said before them. */
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
  /** Null for what is not a transcript. */
  readonly transcript: Transcript | null;
}

/** Null when there is no such file, or the same as before. It is replaced as a whole. */
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
