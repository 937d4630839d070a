import type { Transcript } from "@tmpm/agents";
import { hasCode, type SessionRecord, type Turn } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { openTranscript } from "../thoughts/open-transcript.js";

/** An agent may tell that its turn has ended a moment before it writes its last words down. */
const WRITTEN_MS = 1_500;
const POLL_MS = 150;
const ENOUGH = 200;

/** The turn with what its agent said last and the tokens of the conversation, as far as a transcript tells. */
export async function withFinalWords(ctx: Context, turn: Turn): Promise<Turn> {
  try {
    const record = await recordOf(ctx, turn.session_id);
    const reader = record === null ? null : await openTranscript(ctx, record);
    if (reader === null) return turn;
    const deadline = ctx.clock.now() + (turn.outcome === "completed" ? WRITTEN_MS : 0);
    for (;;) {
      const transcript = await reader.read();
      if (transcript !== null && tellsOf(transcript, turn)) return withTranscript(turn, transcript);
      if (ctx.clock.now() >= deadline) return turn;
      await ctx.clock.sleep(POLL_MS);
    }
  } catch (error) {
    ctx.report({ doing: `reading the last words of turn ${turn.id}`, error });
    return turn;
  }
}

async function recordOf(ctx: Context, id: string): Promise<SessionRecord | null> {
  try {
    return await findSession(ctx, id);
  } catch (error) {
    if (hasCode(error, "SESSION_NOT_FOUND", "RECORD_DAMAGED", "RECORD_UNSUPPORTED")) return null;
    throw error;
  }
}

/** The last prompt of the transcript is the turn's, and something was said to it. Agents change blanks, and put words of their own before a prompt. */
function tellsOf({ prompt, reply }: Transcript, turn: Turn): boolean {
  return prompt !== null && reply !== null && squeeze(prompt).includes(squeeze(turn.prompt).slice(0, ENOUGH));
}

function withTranscript(turn: Turn, { reply, tokens }: Transcript): Turn {
  return { ...turn, final_message: reply, tokens: tokens === 0 ? null : tokens };
}

function squeeze(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, "");
}
