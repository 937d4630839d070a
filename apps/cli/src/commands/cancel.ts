import type { TurnAnswer } from "@tmpm/api";
import { ERRORS } from "@tmpm/core";
import { command } from "../command.js";
import { turnLine } from "../render/turn.js";
import { SESSION } from "./shared-arguments.js";

interface Cancelled {
  readonly name: string;
  readonly turn: TurnAnswer;
}

/** The daemon waits for the agent to stop. */
const ANSWER_MS = 60_000;

export const cancel = command({
  name: "cancel",
  summary: "Cancel the turn that runs, or one that waits",
  more: [
    "The agent is interrupted with its own keys. When it was not seen to stop in time, the turn is cancelled all the same and it exits with status 7.",
    "A turn that is over is not touched (TURN_NOT_ACTIVE), and neither is the next one.",
    "",
    "Examples:",
    "  tmpm cancel demo",
    "  tmpm cancel demo 6d1f3c5a",
    "  tmpm cancel demo --grace 20",
  ].join("\n"),
  args: {
    session: SESSION,
    turn: { takes: "optional", label: "TURN", summary: "Its id, the beginning of it, or its key; the running one when not given" },
  },
  options: { grace: { takes: "seconds", label: "SECONDS", summary: "How long the agent may take to stop; 5 when not given" } },
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
