import type { SessionAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { anyAgentEnv, isTmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { answeredLine } from "../render/decision.js";
import { errorLines } from "../render/error.js";
import { receiptLine } from "../render/receipt.js";
import type { Effect, Message } from "./message.js";
import { screensWith } from "./search.js";

export interface PerformOptions {
  readonly client: Client;
  readonly env: Context["env"];
  /** Unanswered requests are not awaited beyond this. */
  readonly signal: AbortSignal;
  readonly tell: (message: Message) => void;
}

type Asked = Exclude<Effect, { kind: "quit" | "redraw" | "suspend" | "attach" }>;

const LONG_MS = 150_000;

/** Performs the dashboard's effects through the daemon, and reports results and refusals. */
export async function perform(effect: Asked, { client, env, signal, tell }: PerformOptions): Promise<void> {
  const say = (text: string) => tell({ kind: "told", notice: { text, tone: "plain" } });
  const done = (session: SessionAnswer, text: string) => {
    tell({ kind: "seen", session });
    say(text);
  };
  const options = { timeoutMs: LONG_MS, signal };
  try {
    if (effect.kind === "search") {
      say(`searching ${effect.sessions.length} screens`);
      return tell(await screensWith(effect, client));
    }
    const { id, name } = effect.session;
    say(`${name}: ${DOING[effect.kind]}`);
    if (effect.kind === "answer") {
      const answered = await client.answer({ session: id, decision_id: effect.decision, answer: effect.answer }, options);
      done(answered.session, answeredLine(answered));
    } else if (effect.kind === "send") {
      const body = { session: id, text: effect.text, queue: effect.queue || undefined };
      const { receipt, session } = await client.send(body, { ...options, timeoutMs: LONG_MS + effect.text.length / 50 });
      done(session, receiptLine(name, receipt));
    } else if (effect.kind === "stop") {
      done(await client.stop({ session: id }, options), `${name}: stopped`);
    } else {
      done(await client.resume({ session: id, search_path: env.PATH, env: anyAgentEnv(env) }, options), `${name}: resumed`);
    }
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    tell({ kind: "told", notice: { text: errorLines(error).join("; "), tone: "red" } });
  }
}

const DOING: Record<Exclude<Asked["kind"], "search">, string> = {
  answer: "answering",
  send: "sending",
  stop: "stopping",
  resume: "resuming",
};
