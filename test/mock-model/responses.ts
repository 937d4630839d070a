import type { Protocol, Tool } from "./conversation.js";
import { blockTexts, freshId, list, object, text } from "./json.js";
import { type Piece, said } from "./said.js";
import { pieces } from "./script.js";

/** Codex: `POST …/responses`. */
export const responses: Protocol = {
  name: "responses",

  read(path, body) {
    if (!path.endsWith("/responses")) return null;
    const request = object(body);
    return {
      model: text(request.model),
      stream: request.stream === true,
      ...said(list(request.input).flatMap(piecesOf)),
      tools: list(request.tools).flatMap(toolsOf),
      answerSchema: object(object(request.text).format).schema ?? null,
    };
  },

  async answer(writer, { conversation, reply, counts }) {
    const input_tokens = counts.input + counts.cache_read;
    const usage = {
      input_tokens,
      input_tokens_details: { cached_tokens: counts.cache_read },
      output_tokens: counts.output,
      output_tokens_details: { reasoning_tokens: counts.reasoning },
      total_tokens: input_tokens + counts.output,
    };
    const response = { id: freshId("resp_"), object: "response", model: conversation.model };
    const message = {
      type: "message",
      id: freshId("msg_"),
      role: "assistant",
      content: [{ type: "output_text", text: reply.text, annotations: [] }],
    };
    const call = reply.call === null ? [] : [functionCall(reply.call)];
    let sequence_number = 0;
    const event = (type: string, fields: object) => writer.event({ type, sequence_number: sequence_number++, ...fields }, type);
    event("response.created", { response: { ...response, status: "in_progress", output: [] } });
    await writer.wait(reply.waitMs);
    event("response.output_item.added", { output_index: 0, item: { ...message, status: "in_progress", content: [] } });
    const parts = pieces(reply.text, reply);
    for (const delta of parts) {
      event("response.output_text.delta", { item_id: message.id, output_index: 0, content_index: 0, delta });
      await writer.wait(reply.dripMs / parts.length);
    }
    event("response.output_item.done", { output_index: 0, item: { ...message, status: "completed" } });
    for (const item of call) {
      event("response.output_item.added", { output_index: 1, item: { ...item, status: "in_progress", arguments: "" } });
      event("response.output_item.done", { output_index: 1, item: { ...item, status: "completed" } });
    }
    event("response.completed", { response: { ...response, status: "completed", output: [message, ...call], usage } });
    writer.end();
  },

  error: (status) => ({ error: { message: `mock ${status}`, type: "invalid_request_error", param: null, code: null } }),
};

function functionCall({ name, namespace, args }: { name: string; namespace: string | null; args: object }) {
  const group = namespace === null ? {} : { namespace };
  return { type: "function_call", id: freshId("fc_"), call_id: freshId("call_"), name, ...group, arguments: JSON.stringify(args) };
}

function toolsOf(tool: ReturnType<typeof object>): readonly Tool[] {
  if (tool.type === "namespace") {
    return list(tool.tools).map((each) => ({ name: text(each.name), namespace: text(tool.name), schema: each.parameters }));
  }
  return [{ name: text(tool.name), namespace: null, schema: tool.parameters }];
}

function piecesOf({ type, role, content, output }: ReturnType<typeof object>): readonly Piece[] {
  if (text(type).endsWith("_call_output")) return [{ result: typeof output === "string" ? output : JSON.stringify(output) }];
  return role === "user" ? blockTexts(content).map((words) => ({ words })) : [];
}
