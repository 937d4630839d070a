import type { AgentAdapter } from "@tmpm/agents";
import type { SendReason, SessionRecord } from "@tmpm/core";
import type { ScreenReading } from "../observe/observe.js";

/** Whether an agent accepts text now; if not, the reason in words, and a hint. */
export type Readiness =
  | { readonly ready: true }
  | { readonly ready: false; readonly reason: SendReason; readonly evidence: readonly string[]; readonly hint: string | null };

/**
 * The conclusion of a look about typing. A visible input must be empty, in every state: text in it is the user's; a screen without its
 * input may read text as an answer.
 */
export function readiness(look: ScreenReading, session: { readonly record: SessionRecord; readonly adapter: AgentAdapter }): Readiness {
  const { reading, pane } = look;
  const { record, adapter } = session;
  const attach = `look with \`tmpm attach ${record.name}\``;
  if (pane.exit !== null) return notReady(look, { reason: "session_ended", hint: `\`tmpm resume ${record.name}\` restarts it.` });
  if (pane.inMode) return notReady(look, { reason: "copy_mode", hint: "Press q there." });
  switch (reading.state) {
    case "blocked":
    case "awaiting_approval":
      return notReady(look, { reason: "dialog", hint: reading.hint ?? `Answer it: ${attach}.` });
    case "starting":
      return notReady(look, { reason: "starting", hint: null });
    default:
  }
  if (reading.draft !== null && reading.draft !== "") {
    const shown = JSON.stringify(reading.draft.slice(0, 80));
    const hint = `Submit or remove it yourself: ${attach}. \`tmpm send --now\` would append to it, and the agent would get both as one prompt.`;
    return { ready: false, reason: "draft", evidence: [`its input holds text: ${shown}`], hint };
  }
  if (takesText(look, adapter)) return { ready: true };
  if (reading.state === "working") return notReady(look, { reason: "working", hint: `Wait with \`tmpm wait ${record.name}\`.` });
  return notReady(look, {
    reason: "not_ready",
    hint: `${capital(attach)}. \`tmpm send --now\` types in any case, and the dialog may take the text as an answer.`,
  });
}

function takesText({ reading }: ScreenReading, { limits }: AgentAdapter): boolean {
  // Only a program without an input of its own, which is known only by its processes, accepts text without one.
  const showsInput = reading.draft === "" || (reading.draft === null && reading.source === "process");
  switch (reading.state) {
    case "idle":
      return showsInput;
    case "awaiting_input":
    case "errored":
      return reading.draft === "";
    case "working":
      return limits.queuesWhileWorking && showsInput;
    case "unknown":
      return limits.queuesWhileWorking && reading.draft === null && reading.source === "process";
    default:
      return false;
  }
}

function notReady({ reading }: ScreenReading, why: { readonly reason: SendReason; readonly hint: string | null }): Readiness {
  return { ready: false, reason: why.reason, evidence: reading.evidence, hint: why.hint };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
