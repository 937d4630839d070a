import type { Protocol } from "./conversation.js";
import { freshId, list, object, text } from "./json.js";
import { type Piece, said } from "./said.js";
import { pieces } from "./script.js";

/** Claude Code: `POST …/v1/messages`. */
export const anthropic: Protocol = {
  name: "anthropic",

  read(path, body) {
    if (!path.endsWith("/v1/messages")) return null;
    const request = object(body);
    return {
      model: text(request.model),
      stream: request.stream === true,
      ...said(
        list(request.messages)
          .filter(({ role }) => role === "user")
          .flatMap(piecesOf),
      ),
      tools: list(request.tools).map((tool) => ({ name: text(tool.name), namespace: null, schema: tool.input_schema })),
      answerSchema: object(object(request.output_config).format).schema ?? object(request.output_format).schema ?? null,
    };
  },

  async answer(writer, { conversation, reply, counts }) {
    const usage = {
      input_tokens: counts.input,
      cache_read_input_tokens: counts.cache_read,
      cache_creation_input_tokens: counts.cache_write,
      output_tokens: counts.output,
    };
    const message = { id: freshId("msg_"), type: "message", role: "assistant", model: conversation.model, stop_sequence: null };
    const use = reply.call === null ? [] : [{ type: "tool_use", id: freshId("toolu_"), name: reply.call.name, input: reply.call.args }];
    const stop_reason = reply.call === null ? "end_turn" : "tool_use";
    if (!conversation.stream) {
      await writer.wait(reply.waitMs);
      return writer.json(200, { ...message, content: [{ type: "text", text: reply.text }, ...use], stop_reason, usage });
    }
    const event = (type: string, fields: object) => writer.event({ type, ...fields }, type);
    event("message_start", { message: { ...message, content: [], stop_reason: null, usage } });
    await writer.wait(reply.waitMs);
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
    const parts = pieces(reply.text, reply);
    for (const part of parts) {
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: part } });
      await writer.wait(reply.dripMs / parts.length);
    }
    event("content_block_stop", { index: 0 });
    for (const block of use) {
      event("content_block_start", { index: 1, content_block: { ...block, input: {} } });
      event("content_block_delta", { index: 1, delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) } });
      event("content_block_stop", { index: 1 });
    }
    event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
    event("message_stop", {});
    writer.end();
  },

  error: (status) => ({
    type: "error",
    error: { type: status === 529 ? "overloaded_error" : "invalid_request_error", message: `mock ${status}` },
  }),
};

function piecesOf({ content }: ReturnType<typeof object>): readonly Piece[] {
  if (typeof content === "string") return [{ words: content }];
  return list(content).flatMap((block): readonly Piece[] => {
    if (block.type === "tool_result") return [{ result: JSON.stringify(block.content) }];
    return block.type === "text" ? [{ words: text(block.text) }] : [];
  });
}
