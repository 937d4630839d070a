import type { AnyMessage } from "@agentclientprotocol/sdk";
import * as z from "zod";

const WithModels = z.object({ result: z.object({ models: z.unknown() }) });

const WithTokens = z.object({
  quota: z.object({ token_count: z.object({ input_tokens: z.number().nonnegative(), output_tokens: z.number().nonnegative() }) }),
});

/** The models that an answer offers outside the stable protocol, as Gemini 0.61 does; undefined for any other message. */
export function modelsIn(message: AnyMessage): unknown {
  const found = WithModels.safeParse(message);
  return found.success ? found.data.result.models : undefined;
}

/** The tokens of a turn that Gemini 0.61 adds to its end; null if absent. */
export function tokensIn(meta: unknown): number | null {
  const found = WithTokens.safeParse(meta);
  if (!found.success) return null;
  const { input_tokens, output_tokens } = found.data.quota.token_count;
  return Math.floor(input_tokens + output_tokens);
}
