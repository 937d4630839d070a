import { stat } from "node:fs/promises";
import { join } from "node:path";
import { findFiles } from "../files/find-file.js";
import { jsonLinesTranscript } from "../files/json-lines-transcript.js";
import { at, countAt, jsonIn, listAt, msAt, textAt } from "../files/json-path.js";
import { isMissing } from "../files/line-reader.js";
import type { OpenTranscript, TranscriptChange } from "../files/transcript.js";
import { geminiHome } from "./folder-trust.js";

/** `tmp/<project>/chats/session-<time>-<first 8 digits of the id>.jsonl` under `.gemini`, as version 0.61.0 writes it. */
export const geminiTranscript: OpenTranscript = ({ conversationId, env }) => {
  const projects = join(geminiHome(env), "tmp");
  const is = (name: string) => name.startsWith("session-") && name.endsWith(`-${conversationId.slice(0, 8)}.jsonl`);
  return jsonLinesTranscript({ find: async () => largest(await findFiles(projects, { depth: 2, is })), change });
};

/** A conversation resumed in another minute than it began has a second, initially empty file; Gemini continues the first one. */
async function largest(paths: readonly string[]): Promise<string | null> {
  const sized = await Promise.all(paths.map(async (path) => ({ path, size: await sizeOf(path) })));
  return sized.toSorted((a, b) => b.size - a.size)[0]?.path ?? null;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return -1;
    throw error;
  }
}

function change(entry: unknown): TranscriptChange | null {
  switch (textAt(entry, "type")) {
    case "user":
      return prompted(entry);
    case "gemini":
      return answered(entry);
    case "error":
      return { error: reasonIn(textAt(entry, "content") ?? "an error") };
    default:
      return null;
  }
}

/** Tool results are also written as user messages, without text. */
function prompted(entry: unknown): TranscriptChange | null {
  const texts = listAt(at(entry, "content")).flatMap((part) => textAt(part, "text") ?? []);
  const atMs = msAt(entry, "timestamp");
  return texts.length === 0 ? null : { prompt: texts.join("\n"), ...(atMs === null ? {} : { atMs }) };
}

/** An API error is in brackets, as the API returned it. */
function reasonIn(content: string): string {
  const inside = /^\[API Error: (.*)\]$/su.exec(content)?.[1] ?? content;
  return textAt(jsonIn(inside), "error", "message") ?? inside;
}

/** A response is rewritten as its tools end. */
function answered(entry: unknown): TranscriptChange {
  const message = textAt(entry, "content");
  const model = textAt(entry, "model");
  const tokens = countAt(entry, "tokens", "total");
  return {
    ...(message === null ? {} : { message }),
    ...(model === null ? {} : { model }),
    ...(tokens === 0 ? {} : { tokens }),
  };
}
