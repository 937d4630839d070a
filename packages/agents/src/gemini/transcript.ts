import { homedir } from "node:os";
import { join } from "node:path";
import { findFile } from "../find-file.js";
import { jsonLinesTranscript } from "../json-lines-transcript.js";
import { at, countAt, listAt, textAt } from "../json-path.js";
import type { OpenTranscript, Transcript } from "../transcript.js";

/** `tmp/<project>/chats/session-<time>-<first 8 digits of the id>.jsonl` under `.gemini`, as version 0.61.0 writes it. */
export const geminiTranscript: OpenTranscript = ({ conversationId, env }) => {
  const projects = join(env.GEMINI_CLI_HOME ?? env.HOME ?? homedir(), ".gemini", "tmp");
  const is = (name: string) => name.startsWith("session-") && name.endsWith(`-${conversationId.slice(0, 8)}.jsonl`);
  return jsonLinesTranscript({ find: () => findFile(projects, { depth: 2, is }), change });
};

function change(entry: unknown): Partial<Omit<Transcript, "prompts">> | null {
  switch (textAt(entry, "type")) {
    case "user":
      return prompted(at(entry, "content"));
    case "gemini":
      return answered(entry);
    default:
      return null;
  }
}

/** The results of tools are written as the user's messages too, without text. */
function prompted(content: unknown): Partial<Transcript> | null {
  const texts = listAt(content).flatMap((part) => textAt(part, "text") ?? []);
  return texts.length === 0 ? null : { prompt: texts.join("\n") };
}

/** An answer is written again as its tools end. */
function answered(entry: unknown): Partial<Transcript> {
  const message = textAt(entry, "content");
  const model = textAt(entry, "model");
  const tokens = countAt(entry, "tokens", "total");
  return {
    ...(message === null ? {} : { message }),
    ...(model === null ? {} : { model }),
    ...(tokens === 0 ? {} : { tokens }),
  };
}
