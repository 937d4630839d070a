import { blockText, countOf, fieldOf, textOf } from "../fields.js";
import { jsonLinesTranscript } from "../json-lines-transcript.js";
import type { OpenTranscript, Transcript } from "../transcript.js";
import { findConversation } from "./conversation.js";

const CONTEXT = 200_000;
const LONG_CONTEXT = 1_000_000;

/** `projects/<folder>/<id>.jsonl` under Claude's configuration folder, as version 2.1.197 writes it. */
export const claudeTranscript: OpenTranscript = ({ conversationId, env }) =>
  jsonLinesTranscript({ find: () => findConversation(conversationId, { env }), change });

function change(entry: unknown): Partial<Omit<Transcript, "prompts">> | null {
  // The words of a sub-agent are not said to the user.
  if (fieldOf(entry, "isSidechain") === true || fieldOf(entry, "isMeta") === true) return null;
  const message = fieldOf(entry, "message");
  switch (textOf(entry, "type")) {
    case "user":
      return prompted(message);
    case "assistant":
      return answered(message);
    default:
      return null;
  }
}

/** The results of tools are written as the user's messages too. */
function prompted(message: unknown): Partial<Transcript> | null {
  const prompt = textOf(message, "content") ?? blockText(fieldOf(message, "content"), ["text"]);
  return prompt === null ? null : { prompt };
}

function answered(message: unknown): Partial<Transcript> {
  const text = blockText(fieldOf(message, "content"), ["text"]);
  const usage = fieldOf(message, "usage");
  const parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
  const tokens = parts.reduce((sum, part) => sum + countOf(usage, part), 0);
  const model = textOf(message, "model");
  return {
    ...(text === null ? {} : { message: text }),
    // Claude's own notices come from the model `<synthetic>` and count nothing.
    ...(model === null || model.startsWith("<") ? {} : { model, contextLimit: model.includes("[1m]") ? LONG_CONTEXT : CONTEXT }),
    ...(tokens === 0 ? {} : { tokens }),
  };
}
