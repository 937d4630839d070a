import type { Protocol } from "./conversation.js";
import { list, object, text } from "./json.js";
import { type Piece, said } from "./said.js";
import { pieces } from "./script.js";

const PATH = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/u;

/** Gemini CLI: `POST …/models/MODEL:generateContent` and `:streamGenerateContent`. */
export const gemini: Protocol = {
  name: "gemini",

  read(path, body) {
    const [, model, method] = PATH.exec(path) ?? [];
    if (model === undefined) return null;
    const request = object(body);
    const settings = object(request.generationConfig);
    return {
      model,
      stream: method === "streamGenerateContent",
      ...said(list(request.contents).flatMap(piecesOf)),
      tools: list(request.tools)
        .flatMap(({ functionDeclarations }) => list(functionDeclarations))
        .map((tool) => ({ name: text(tool.name), namespace: null, schema: tool.parametersJsonSchema ?? tool.parameters })),
      answerSchema: settings.responseJsonSchema ?? settings.responseSchema ?? null,
    };
  },

  async answer(writer, { conversation, reply, counts }) {
    const promptTokenCount = counts.input + counts.cache_read;
    const usageMetadata = {
      promptTokenCount,
      cachedContentTokenCount: counts.cache_read,
      candidatesTokenCount: counts.output - counts.reasoning,
      thoughtsTokenCount: counts.reasoning,
      totalTokenCount: promptTokenCount + counts.output,
    };
    const call = reply.call === null ? [] : [{ functionCall: { name: reply.call.name, args: reply.call.args } }];
    const body = (parts: readonly object[], finished: boolean) => ({
      candidates: [{ index: 0, content: { role: "model", parts }, ...(finished ? { finishReason: "STOP" } : {}) }],
      usageMetadata,
      modelVersion: conversation.model,
    });
    await writer.wait(reply.waitMs);
    if (!conversation.stream) return writer.json(200, body([{ text: reply.text }, ...call], true));
    const parts = pieces(reply.text, reply);
    for (const part of parts) {
      writer.event(body([{ text: part }], false));
      await writer.wait(reply.dripMs / parts.length);
    }
    writer.event(body(call.length === 0 ? [{ text: "" }] : call, true));
    writer.end();
  },

  error: (status) => ({ error: { code: status, message: `mock ${status}`, status: "INVALID_ARGUMENT" } }),
};

function piecesOf({ role, parts }: ReturnType<typeof object>): readonly Piece[] {
  if (role === "model") return [];
  return list(parts).flatMap((part): readonly Piece[] => {
    if ("functionResponse" in part) return [{ result: JSON.stringify(part.functionResponse) }];
    return typeof part.text === "string" ? [{ words: part.text }] : [];
  });
}
