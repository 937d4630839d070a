import type { TurnAnswer } from "@tmpm/api";
import { ERRORS } from "@tmpm/core";
import { command } from "../command.js";
import { turnLine } from "../render/turn.js";
import { SESSION } from "./shared-arguments.js";

interface Cancelled {
  readonly name: string;
  readonly turn: TurnAnswer;
}

/** Allows for the daemon's wait for the agent to stop. */
const ANSWER_MS = 60_000;

export const cancel = command({
  name: "cancel",
  group: "Send prompts and answers",
  summary: "Cancel the running turn, or a queued one",
  more: [
    "Interrupts the agent with its own keys. If it does not visibly stop in time, the turn is cancelled anyway and the exit status is 7.",
    "A turn that has ended is not changed (TURN_NOT_ACTIVE), and neither is the next one.",
    "",
    "Examples:",
    "  tmpm cancel demo",
    "  tmpm cancel demo 6d1f3c5a",
    "  tmpm cancel demo --grace 20",
  ].join("\n"),
  args: {
    session: SESSION,
    turn: { takes: "optional", label: "TURN", summary: "Turn id, prefix or key (default: the running turn)" },
  },
  options: { grace: { takes: "seconds", label: "SECONDS", summary: "Time for the agent to stop (default: 5)" } },
  async run({ session, turn, grace }, context): Promise<Cancelled> {
    const grace_ms = grace === undefined ? undefined : Math.round(grace * 1000);
    return {
      name: session,
      turn: await context.client().cancel({ session, turn, grace_ms }, { timeoutMs: ANSWER_MS + (grace_ms ?? 0) }),
    };
  },
  render: ({ name, turn }, view) => turnLine(name, turn, view),
  json: ({ turn }) => JSON.stringify(turn),
  exit: ({ turn }) => (turn.confirmed === false ? ERRORS.UNCONFIRMED.exit : 0),
});
