import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { jsonIn, msAt, textAt } from "../files/json-path.js";
import { isMissing } from "../files/line-reader.js";
import type { BegunConversation, FindBegun } from "../files/transcript.js";
import { geminiHome } from "./folder-trust.js";

const MINUTE_MS = 60_000;
const HEAD_BYTES = 4_096;

/** `tmp/<project>/chats/session-<minute>-<first 8 digits of the id>.jsonl`; the first line has the conversation's id and start (0.61.0). */
export const geminiBegun: FindBegun = async ({ env, sinceMs }) => {
  const projects = join(geminiHome(env), "tmp");
  const first = `session-${minuteOf(sinceMs - MINUTE_MS)}`;
  const begun: BegunConversation[] = [];
  for (const project of await namesIn(projects)) {
    const chats = join(projects, project, "chats");
    for (const name of await namesIn(chats)) {
      if (!/^session-.*\.jsonl$/u.test(name) || name < first) continue;
      const conversation = await beginningOf(join(chats, name));
      if (conversation !== null && conversation.beganMs >= sinceMs) begun.push(conversation);
    }
  }
  return begun.sort((a, b) => a.beganMs - b.beganMs);
};

/** In Gemini's form of the name: UTC, with a dash for the colon. */
function minuteOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace(":", "-");
}

/** Null for a conversation of a sub-agent, and for a file without a first line yet. */
async function beginningOf(path: string): Promise<BegunConversation | null> {
  const handle = await open(path, "r").catch(nullWhenMissing);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = jsonIn(buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0] ?? "");
    const conversationId = textAt(head, "sessionId");
    const beganMs = msAt(head, "startTime");
    return conversationId === null || beganMs === null || textAt(head, "kind") !== "main" ? null : { conversationId, beganMs };
  } finally {
    await handle.close();
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function nullWhenMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
