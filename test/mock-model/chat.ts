import type { Protocol } from "./conversation.js";
import { blockTexts, freshId, list, object, text } from "./json.js";
import { type Piece, said } from "./said.js";
import { pieces } from "./script.js";

/** OpenCode with an OpenAI-compatible provider: `POST …/chat/completions`. */
export const chat: Protocol = {
  name: "chat",

  read(path, body) {
    if (!path.endsWith("/chat/completions")) return null;
    const request = object(body);
    return {
      model: text(request.model),
      stream: request.stream === true,
      ...said(list(request.messages).flatMap(piecesOf)),
      tools: list(request.tools).map((tool) => {
        const { name, parameters } = object(tool.function);
        return { name: text(name), namespace: null, schema: parameters };
      }),
      answerSchema: object(object(request.response_format).json_schema).schema ?? null,
    };
  },

  async answer(writer, { conversation, reply, counts }) {
    const { model, stream } = conversation;
    const id = freshId("chatcmpl-");
    const prompt_tokens = counts.input + counts.cache_read;
    const usage = {
      prompt_tokens,
      prompt_tokens_details: { cached_tokens: counts.cache_read },
      completion_tokens: counts.output,
      completion_tokens_details: { reasoning_tokens: counts.reasoning },
      total_tokens: prompt_tokens + counts.output,
    };
    const finish_reason = reply.call === null ? "stop" : "tool_calls";
    const calls =
      reply.call === null
        ? []
        : [
            {
              index: 0,
              id: freshId("call_"),
              type: "function",
              function: { name: reply.call.name, arguments: JSON.stringify(reply.call.args) },
            },
          ];
    if (!stream) {
      await writer.wait(reply.waitMs);
      const message = { role: "assistant", content: reply.text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
      return writer.json(200, { id, object: "chat.completion", created: 0, model, choices: [{ index: 0, finish_reason, message }], usage });
    }
    const chunk = (delta: object, finished: string | null = null) =>
      writer.event({ id, object: "chat.completion.chunk", created: 0, model, choices: [{ index: 0, delta, finish_reason: finished }] });
    chunk({ role: "assistant", content: "" });
    await writer.wait(reply.waitMs);
    const parts = pieces(reply.text, reply);
    for (const content of parts) {
      chunk({ content });
      await writer.wait(reply.dripMs / parts.length);
    }
    for (const call of calls) chunk({ tool_calls: [call] });
    chunk({}, finish_reason);
    writer.event({ id, object: "chat.completion.chunk", created: 0, model, choices: [], usage });
    writer.event("[DONE]");
    writer.end();
  },

  error: (status) => ({ error: { message: `mock ${status}`, type: "invalid_request_error", param: null, code: null } }),
};

function piecesOf({ role, content }: ReturnType<typeof object>): readonly Piece[] {
  if (role === "tool") return [{ result: blockTexts(content).join("\n") }];
  return role === "user" ? blockTexts(content).map((words) => ({ words })) : [];
}
