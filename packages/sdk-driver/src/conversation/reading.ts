import { limitIn, type ReadLimit, timestampFromMs } from "@tmpm/core";
import type { PermissionRequest } from "./request.js";
import type { ConversationState } from "./state.js";

/** An agent's request as a decision for the supervisor: answered by the request's id, never by keys. */
export interface AskedDecision {
  readonly kind: "approval";
  readonly tool: string | null;
  readonly subject: string;
  readonly choices: readonly { readonly label: string; readonly keys: null; readonly takesText: false }[];
  readonly request: string;
}

/** The agent's state by the protocol. */
export interface ConversationReading {
  readonly state: "starting" | "working" | "idle" | "awaiting_approval" | "blocked" | "errored" | "exited";
  readonly source: "protocol";
  readonly confidence: 1;
  readonly evidence: readonly string[];
  readonly hint: string | null;
  /** Empty while it accepts a prompt, null otherwise. */
  readonly draft: "" | null;
  readonly decision: AskedDecision | null;
  /** The usage limit that its last turn reached; null for any other outcome. */
  readonly limit: ReadLimit | null;
}

export function readingOf(state: ConversationState): ConversationReading {
  const { phase, turn, last, requests } = state;
  const [request] = requests;
  if (phase.kind === "exited") return reading("exited", [`the agent has ended${howEnded(phase)}`]);
  if (phase.kind === "failed") return { ...reading("blocked", [phase.message]), hint: phase.hint };
  if (phase.kind === "starting") return reading("starting", ["the agent has not opened its conversation yet"]);
  if (request !== undefined) {
    const others = requests.length === 1 ? [] : [`${requests.length - 1} more requests are queued behind it`];
    return { ...reading("awaiting_approval", [`it requests permission: ${request.subject}`, ...others]), decision: decisionOf(request) };
  }
  if (turn !== null) {
    const cancelled = turn.cancelled ? ["its cancellation was requested"] : [];
    return reading("working", [`its turn has been running since ${timestampFromMs(turn.at_ms)}`, ...cancelled]);
  }
  if (last?.kind === "broke") return brokenReading(last);
  const before = last === null ? "it has not received a prompt yet" : `its last turn ended: ${last.stop}`;
  return { ...reading("idle", [before]), draft: "" };
}

function brokenReading({ message, at_ms }: { readonly message: string; readonly at_ms: number }): ConversationReading {
  return { ...reading("errored", [`its last turn ended with an error: ${message}`]), draft: "", limit: limitIn(message, at_ms) };
}

export function decisionOf({ id, tool, subject, options }: PermissionRequest): AskedDecision {
  const choices = options.map(({ label }) => ({ label, keys: null, takesText: false as const }));
  return { kind: "approval", tool, subject, choices, request: id };
}

function reading(state: ConversationReading["state"], evidence: readonly string[]): ConversationReading {
  return { state, source: "protocol", confidence: 1, evidence, hint: null, draft: null, decision: null, limit: null };
}

function howEnded({ status, signal }: { readonly status: number | null; readonly signal: number | null }): string {
  if (signal !== null) return ` by signal ${signal}`;
  return status === null ? "" : ` with status ${status}`;
}
