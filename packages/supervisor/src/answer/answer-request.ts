import type { Decision as Shown } from "@tmpm/agents";
import { TmpmError } from "@tmpm/core";
import type { AnswerGiven, Conversation } from "@tmpm/host";
import { answeringWith } from "../activity/asked.js";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { learn } from "../observe/learn.js";
import { paneOf, readScreen } from "../observe/observe.js";
import type { SessionDecision } from "./on-screen.js";

export interface Requested extends Pick<SessionDecision, "record"> {
  readonly conversation: Conversation;
  readonly shown: Shown;
  readonly given: AnswerGiven;
}

/**
 * Answers a request of a protocol agent. The protocol accepts an answer once, so no observation is needed before.
 * @throws DECISION_GONE, INVALID_ARGUMENT, with nothing answered
 */
export async function answerRequest(
  ctx: Context,
  requested: Requested,
): Promise<{ readonly label: string; readonly evidence: readonly string[] }> {
  const { record, conversation, shown, given } = requested;
  if (shown.request === undefined)
    throw new TmpmError("SESSION_BLOCKED", `session ${record.name} shows a request that its protocol cannot answer`);
  const answering = (label: string | null) => learn(ctx, record, (known) => ({ ...known, asked: answeringWith(known.asked, label) }));
  answering(labelOf(given, shown));
  await ctx.decisions.drained();
  try {
    const { label } = await conversation.answer(paneOf(record), { request: shown.request, answer: given });
    answering(label);
    await readScreen(ctx, { record, adapter: agentOf(ctx, record) });
    return { label, evidence: ["the agent accepted the answer"] };
  } catch (error) {
    answering(null);
    throw error;
  }
}

function labelOf(given: AnswerGiven, { choices }: Shown): string {
  switch (given.kind) {
    case "approve":
    case "deny":
      return given.kind;
    case "choice":
      return choices[given.number - 1]?.label ?? `choice ${given.number}`;
    case "text":
      return choices.find(({ takesText }) => takesText)?.label ?? "text";
  }
}
