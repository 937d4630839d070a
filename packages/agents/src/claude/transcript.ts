import { jsonLinesTranscript } from "../files/json-lines-transcript.js";
import { at, countAt, msAt, textAt } from "../files/json-path.js";
import type { OpenTranscript, TranscriptChange } from "../files/transcript.js";
import { blockText } from "../screen/block-text.js";
import { claudeContextLimit } from "./context-limit.js";
import { findConversation } from "./conversation.js";

/** `projects/<folder>/<id>.jsonl` under Claude's configuration folder, as version 2.1.197 writes it. */
export const claudeTranscript: OpenTranscript = ({ conversationId, env }) =>
  jsonLinesTranscript({ find: () => findConversation(conversationId, { env }), change });

function change(entry: unknown): TranscriptChange | null {
  // A sub-agent's messages are not for the user.
  if (at(entry, "isSidechain") === true || at(entry, "isMeta") === true) return null;
  const message = at(entry, "message");
  switch (textAt(entry, "type")) {
    case "user":
      return prompted(message, msAt(entry, "timestamp"));
    case "assistant":
      return answered(message);
    default:
      return null;
  }
}

/** Tool results and a command's output are also written as user messages. */
function prompted(message: unknown, atMs: number | null): TranscriptChange | null {
  const prompt = textAt(message, "content") ?? blockText(at(message, "content"), ["text"]);
  if (prompt === null || prompt.startsWith("<local-command-stdout>")) return null;
  return { prompt, ...(atMs === null ? {} : { atMs }) };
}

function answered(message: unknown): TranscriptChange {
  const text = blockText(at(message, "content"), ["text"]);
  const usage = at(message, "usage");
  const parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
  const tokens = parts.reduce((sum, part) => sum + countAt(usage, part), 0);
  const model = textAt(message, "model");
  const stopped = textAt(message, "stop_reason");
  return {
    ...(text === null ? {} : { message: text }),
    ...(stopped === null ? {} : { more: stopped === "tool_use" }),
    // Claude's own notices have the model `<synthetic>` and no usage.
    ...(model === null || model.startsWith("<") ? {} : { model, contextLimit: claudeContextLimit(model) ?? 0 }),
    ...(tokens === 0 ? {} : { tokens }),
  };
}
