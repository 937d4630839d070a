import { homedir } from "node:os";
import { join } from "node:path";
import { findFile } from "../files/find-file.js";
import { jsonLinesTranscript } from "../files/json-lines-transcript.js";
import { at, countAt, listAt, msAt, textAt } from "../files/json-path.js";
import type { OpenTranscript, TranscriptChange } from "../files/transcript.js";
import { blockText } from "../screen/block-text.js";

/** `sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl` under Codex's home, as version 0.171.0 writes it. */
export const codexTranscript: OpenTranscript = ({ conversationId, env }) => {
  const sessions = join(env.CODEX_HOME ?? join(env.HOME ?? homedir(), ".codex"), "sessions");
  const is = (name: string) => name.startsWith("rollout-") && name.endsWith(`-${conversationId}.jsonl`);
  return jsonLinesTranscript({ find: () => findFile(sessions, { depth: 3, is }), change });
};

function change(entry: unknown): TranscriptChange | null {
  const payload = at(entry, "payload");
  const kind = `${textAt(entry, "type")} ${textAt(payload, "type") ?? ""}`.trimEnd();
  switch (kind) {
    case "turn_context": {
      const model = textAt(payload, "model");
      return model === null ? null : { model };
    }
    case "event_msg token_count":
      return counted(at(payload, "info"));
    case "response_item message":
      return said(payload, msAt(entry, "timestamp"));
    default:
      return null;
  }
}

function counted(info: unknown): TranscriptChange {
  const tokens = countAt(info, "last_token_usage", "total_tokens");
  const contextLimit = countAt(info, "model_context_window");
  return { ...(tokens === 0 ? {} : { tokens }), ...(contextLimit === 0 ? {} : { contextLimit }) };
}

function said(message: unknown, atMs: number | null): TranscriptChange | null {
  const content = at(message, "content");
  if (textAt(message, "role") === "assistant") {
    const text = blockText(content, ["output_text"]);
    return text === null ? null : { message: text };
  }
  const prompt = isUsers(message) ? blockText(content, ["input_text"]) : null;
  return prompt === null ? null : { prompt, ...(atMs === null ? {} : { atMs }) };
}

/** Codex also writes a turn's context as user messages; only the user's own text is marked as such. */
function isUsers(message: unknown): boolean {
  if (textAt(message, "role") !== "user") return false;
  const kinds = listAt(message, "internal_chat_message_metadata_passthrough", "content_item_kinds");
  return kinds.includes("user.text");
}
