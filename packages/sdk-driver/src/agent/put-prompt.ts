import { methods, RequestError } from "@agentclientprotocol/sdk";
import type { ConversationEvent } from "../conversation/event.js";
import type { ConversationState, Fate } from "../conversation/state.js";
import type { AgentLink } from "./connect-agent.js";
import { errorWords } from "./error-words.js";
import { later, type Patience, writtenInTime } from "./patience.js";
import { tokensIn } from "./read-extensions.js";
import type { Heard } from "./reporting.js";

export interface Prompt {
  /** The prompt's key: a prompt with a used key is not sent again. */
  readonly key: string;
  readonly text: string;
}

/** The outcome of a prompt when its caller is answered, and the evidence for it. `unwritten`: the agent does not read, and may do so later. */
export type PromptOutcome = { readonly fate: Fate | { readonly kind: "unwritten" }; readonly evidence: readonly string[] };

export interface PromptDelivery extends Heard {
  readonly link: AgentLink;
  readonly patience: Patience;
  /** Withdraws the agent's open requests. */
  readonly withdraw: () => void;
}

/** Sends a prompt, once. Resolves when the agent has it or refused it, long before its turn ends. */
export async function putPrompt(prompt: Prompt, putting: PromptDelivery): Promise<PromptOutcome> {
  const { key } = prompt;
  const { writesMs, refusesMs } = putting.patience;
  const before = refusal(prompt, putting);
  if (before !== null) return before;
  const written = putting.link.written(methods.agent.session.prompt).then(() => putting.report({ type: "written", key }));
  putting.report({ type: "prompted", key, text: prompt.text });
  const over = turn(prompt, putting);
  if (!(await writtenInTime(writesMs, written, over)))
    return { fate: { kind: "unwritten" }, evidence: ["the agent does not read its input"] };
  await Promise.race([over, firstSign(putting), later(refusesMs)]);
  return known(key, putting) ?? { fate: { kind: "taken" }, evidence: [] };
}

/** The known outcome of the prompt with this key; null if it was never sent. */
export function known(key: string, { state }: Pick<Heard, "state">): PromptOutcome | null {
  const { fates, unwritten, turn: running, phase } = state();
  const fate = fates.find((each) => each.key === key)?.fate;
  if (fate === undefined) return null;
  if (fate.kind === "refused") return { fate, evidence: [fate.reason] };
  const isRunning = running?.key === key;
  if (unwritten.includes(key) && !(isRunning && running.heard)) {
    return { fate: { kind: "unwritten" }, evidence: [`${whyUnread({ isRunning, hasExited: phase.kind === "exited" })} read it in full`] };
  }
  return { fate, evidence: ["session/prompt was sent to the agent in full", signOf(isRunning ? running : null)] };
}

/** A turn may also end with an error of the agent, or with its connection, while its process runs. */
function whyUnread({ isRunning, hasExited }: { readonly isRunning: boolean; readonly hasExited: boolean }): string {
  if (isRunning) return "the agent has not";
  return hasExited ? "the agent ended before it had" : "its turn ended before the agent had";
}

function signOf(turn: ConversationState["turn"]): string {
  if (turn === null) return "its turn is over";
  return turn.heard ? "the agent has begun to answer" : "its turn is running";
}

function refusal({ key }: Prompt, putting: PromptDelivery): PromptOutcome | null {
  const before = known(key, putting);
  if (before !== null) return before;
  const { phase, turn: running } = putting.state();
  const refused = (reason: string): PromptOutcome => ({ fate: { kind: "refused", reason }, evidence: [reason] });
  if (phase.kind === "exited") return refused("the agent has ended");
  if (phase.kind !== "open") return refused(phase.kind === "failed" ? phase.message : "the agent has not opened its conversation yet");
  return running === null ? null : refused("a turn is running, and the protocol accepts one prompt at a time");
}

/** A request that is open when its turn ends is answered: the agent waits for no decision that is not shown any more. */
async function turn({ key, text }: Prompt, { link, report, state, withdraw }: PromptDelivery): Promise<void> {
  const { connection } = link;
  link.turnUsage();
  try {
    const sessionId = state().conversation_id ?? "";
    const answer = await connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
    const tokens = tokensIn(answer._meta);
    if (tokens !== null) report({ type: "counted", tokens, context_limit: state().transcript.context_limit });
    const usage = link.turnUsage();
    withdraw();
    report({ type: "ended", key, stop: answer.stopReason, ...(usage === null ? {} : { usage }) });
  } catch (error) {
    // The exit of its process explains why an agent has closed its pipes.
    if (connection.signal.aborted) return;
    withdraw();
    report(faultOf(error, { key, heard: state().turn?.heard ?? false }));
  }
}

/** These mean that the request itself was invalid, before it had any effect. */
const REFUSALS: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32000, -32002]);

function faultOf(error: unknown, { key, heard }: { readonly key: string; readonly heard: boolean }): ConversationEvent {
  const message = errorWords(error);
  if (error instanceof RequestError && REFUSALS.has(error.code) && !heard) return { type: "refused", key, reason: message };
  return { type: "broke", key, message };
}

async function firstSign({ state, next }: Heard): Promise<void> {
  while (state().turn?.heard === false) await next();
}
