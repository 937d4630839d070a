import { randomUUID } from "node:crypto";
import type { NodePrompt } from "@tmpm/api";
import type { Context } from "../context.js";
import { parseDuration } from "../input/duration.js";
import { usageError } from "../parse/usage-error.js";

export interface PromptForNode {
  readonly session: string;
  readonly text: string;
  readonly expires: string | undefined;
  readonly key: string | undefined;
}

/** Longer than this machine's daemon waits for the node. */
const ANSWER_MS = 60_000;

/** Leaves a prompt with this machine's daemon, which sends it once the session's machine answers. @throws INVALID_ARGUMENT, NODE_NOT_FOUND, NODE_OFFLINE */
export async function keepForNode(context: Context, { session, text, expires, key }: PromptForNode): Promise<NodePrompt> {
  const { node } = context;
  if (node === null)
    throw usageError(
      "--when-online applies only to sessions of other machines",
      "Give NODE:SESSION; `tmpm send --queue` waits for a session of this machine.",
    );
  return context
    .at(null)
    .client()
    .addNodePrompt(
      {
        node,
        session,
        prompt: text,
        expires_ms: expires === undefined ? undefined : parseDuration(expires, "--expires"),
        // Also without --key, so that a repeated request is not a second prompt.
        idempotency_key: key ?? randomUUID(),
      },
      { timeoutMs: ANSWER_MS },
    );
}
