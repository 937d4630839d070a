import { homedir } from "node:os";
import { join } from "node:path";
import { countOf, fieldOf, listOf, textOf } from "../fields.js";
import { findFile } from "../find-file.js";
import { jsonLinesTranscript } from "../json-lines-transcript.js";
import type { OpenTranscript, Transcript } from "../transcript.js";

/** `tmp/<project>/chats/session-<time>-<first 8 digits of the id>.jsonl` under `.gemini`, as version 0.61.0 writes it. */
export const geminiTranscript: OpenTranscript = ({ conversationId, env }) => {
  const projects = join(env.GEMINI_CLI_HOME ?? env.HOME ?? homedir(), ".gemini", "tmp");
  const is = (name: string) => name.startsWith("session-") && name.endsWith(`-${conversationId.slice(0, 8)}.jsonl`);
  return jsonLinesTranscript({ find: () => findFile(projects, { depth: 2, is }), change });
};

function change(entry: unknown): Partial<Omit<Transcript, "prompts">> | null {
  switch (textOf(entry, "type")) {
    case "user":
      return prompted(fieldOf(entry, "content"));
    case "gemini":
      return answered(entry);
    default:
      return null;
  }
}

/** The results of tools are written as the user's messages too, without text. */
function prompted(content: unknown): Partial<Transcript> | null {
  const texts = listOf(content).flatMap((part) => textOf(part, "text") ?? []);
  return texts.length === 0 ? null : { prompt: texts.join("\n") };
}

/** An answer is written again as its tools end. */
function answered(entry: unknown): Partial<Transcript> {
  const message = textOf(entry, "content");
  const model = textOf(entry, "model");
  const tokens = countOf(fieldOf(entry, "tokens"), "total");
  return {
    ...(message === null || message === "" ? {} : { message }),
    ...(model === null ? {} : { model }),
    ...(tokens === 0 ? {} : { tokens }),
  };
}
