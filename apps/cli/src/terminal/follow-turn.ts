import { isatty } from "node:tty";
import type { TurnAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { visibleText } from "@tmpm/core";
import { print } from "./output.js";

export interface FollowedTurn {
  readonly session: string;
  /** Its id, a prefix of it, or its key. */
  readonly turn: string;
  /** Suppress progress output. */
  readonly quiet: boolean;
  /** Also ends when the agent asks a question that no other client answers within a second. */
  readonly untilAsked?: boolean;
}

/** Maximum wait of one request to the daemon; repeated after a lost connection. */
const SLICE_MS = 15_000;
const ANSWER_MS = 15_000;
const SETTLE_MS = 1_000;

/** Waits for a turn's outcome without limit, and shows on a terminal when the agent waits for an answer. */
export async function followTurn(client: Client, { session, turn, quiet, untilAsked = false }: FollowedTurn): Promise<TurnAnswer> {
  let before: TurnAnswer | null = null;
  for (;;) {
    const settling = before === null || (untilAsked && before.state === "waiting_approval");
    const found: TurnAnswer = await client.turn(
      { session, turn, wait_ms: settling ? SETTLE_MS : SLICE_MS },
      { timeoutMs: SLICE_MS + ANSWER_MS },
    );
    if (found.state === "ended") return found;
    const asks = found.state === "waiting_approval";
    if (untilAsked && asks && found.decision_id === before?.decision_id) return found;
    if (!untilAsked && asks && before?.state !== "waiting_approval" && !quiet && isatty(2))
      print(`tmpm: ${visibleText(session)}: the agent asks a question; see \`tmpm next\`\n`, 2);
    before = found;
  }
}
