import type { SendOutcome } from "./receipt.js";

interface ReasonRow {
  readonly outcomes: readonly SendOutcome[];
  readonly title: string;
}

/** Nothing was typed: it still waits, or its time ran out. */
const WAITED = ["held", "refused"] as const;

/** Reasons for the outcome of a send. The only list: docs/sending.md derives from it. */
export const SEND_REASONS = {
  hook: { outcomes: ["submitted"], title: "The agent's hook reported that it accepted the prompt" },
  protocol: { outcomes: ["submitted"], title: "The agent reported through its protocol that it accepted the prompt" },
  screen: { outcomes: ["submitted"], title: "The text was seen in the input, and then to leave it" },
  carried: { outcomes: ["submitted", "held", "unconfirmed"], title: "The prompt was passed in the agent's arguments" },
  enter_ignored: { outcomes: ["typed_not_submitted"], title: "Enter was pressed, and the text is still in the input" },
  input_changed: { outcomes: ["typed_not_submitted"], title: "Other text appeared in the input, so Enter was not pressed" },
  dialog_opened: { outcomes: ["typed_not_submitted"], title: "A dialog opened before Enter, which would have answered it" },
  accepted: { outcomes: ["held"], title: "It is delivered in the background" },
  behind_another: { outcomes: WAITED, title: "An earlier send to this session is pending" },
  starting: { outcomes: WAITED, title: "The agent is still starting" },
  working: { outcomes: WAITED, title: "The agent is working, and does not queue text" },
  dialog: { outcomes: WAITED, title: "The agent shows a dialog that must be answered first" },
  draft: { outcomes: WAITED, title: "The agent's input holds text from the user" },
  copy_mode: { outcomes: WAITED, title: "The session is scrolled in tmux's copy mode" },
  paused: { outcomes: WAITED, title: "The session is paused" },
  budget: { outcomes: WAITED, title: "The session has used up its budget" },
  not_ready: { outcomes: WAITED, title: "The agent does not show a known text input" },
  tmux_unanswered: { outcomes: ["held", "refused", "unconfirmed"], title: "tmux, or another host of the session, did not answer" },
  not_a_text: { outcomes: ["refused"], title: "The agent would take the text as a command, or alter it" },
  line_too_long: { outcomes: ["refused"], title: "The program reads whole lines, and would truncate one" },
  caller_gone: { outcomes: ["refused"], title: "The caller disconnected before anything was typed" },
  cancelled: { outcomes: ["refused"], title: "It was cancelled before anything was typed" },
  interrupted: { outcomes: ["refused", "unconfirmed"], title: "The daemon ended during the delivery" },
  session_ended: { outcomes: ["refused", "unconfirmed"], title: "The session's program ended or was stopped" },
  not_shown: { outcomes: ["unconfirmed"], title: "The text did not appear in the input, so Enter was not pressed" },
  nothing_seen: { outcomes: ["unconfirmed"], title: "Enter was pressed, and the result is unknown" },
  failed: { outcomes: ["held", "refused", "unconfirmed"], title: "tmux, the agent or the machine refused, as the evidence shows" },
} as const satisfies Record<string, ReasonRow>;

export type SendReason = keyof typeof SEND_REASONS;

/** Whether a text refused for this reason ran out of time. A failure can hold a text, but also refuses it at once. */
export function ranOutOfTime(reason: SendReason): boolean {
  return reason !== "failed" && SEND_REASONS[reason].outcomes.some((outcome) => outcome === "held");
}
