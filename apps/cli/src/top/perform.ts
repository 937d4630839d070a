import type { SessionAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { callersEnvironment } from "../input/callers-environment.js";
import { answeredLine } from "../render/decision.js";
import { errorLines } from "../render/error.js";
import { receiptLine } from "../render/receipt.js";
import { loadDiff } from "./load-diff.js";
import type { Effect, Message } from "./message.js";
import { screensWith } from "./search.js";
import type { Named } from "./state.js";

export interface PerformOptions {
  /** The daemon of a machine; null for this one. */
  readonly client: (node: string | null) => Client;
  readonly env: Context["env"];
  /** Time limit for pending requests. */
  readonly signal: AbortSignal;
  readonly send: (message: Message) => void;
}

type Asked = Exclude<Effect, { kind: "quit" | "redraw" | "suspend" | "attach" }>;

const LONG_MS = 150_000;

/** Performs the dashboard's effects through the daemon, and reports results and refusals. */
export async function perform(effect: Asked, { client, env, signal, send }: PerformOptions): Promise<void> {
  const say = (text: string) => send({ kind: "noted", notice: { text, tone: "plain" } });
  const done = ({ node }: Named, { session, text }: { readonly session: SessionAnswer; readonly text: string }) => {
    send({ kind: "seen", node, session });
    say(text);
  };
  const options = { timeoutMs: LONG_MS, signal };
  try {
    if (effect.kind === "search") {
      say(`searching ${effect.sessions.length} screens`);
      return send(await screensWith(effect, { at: client, signal }));
    }
    if (effect.kind === "changes" || effect.kind === "hunks")
      return send(await loadDiff(effect, { client: client(effect.session.node), signal }));
    const { id, name, node } = effect.session;
    const own = client(node);
    say(`${name}: ${DOING[effect.kind]}`);
    if (effect.kind === "answer") {
      const answered = await own.answer({ session: id, decision_id: effect.decision, answer: effect.answer }, options);
      done(effect.session, { session: answered.session, text: answeredLine(answered) });
    } else if (effect.kind === "send") {
      const body = { session: id, text: effect.text, queue: effect.queue || undefined };
      const { receipt, session } = await own.send(body, { ...options, timeoutMs: LONG_MS + effect.text.length / 50 });
      done(effect.session, { session, text: receiptLine(name, receipt) });
    } else if (effect.kind === "stop") {
      done(effect.session, { session: await own.stop({ session: id }, options), text: `${name}: stopped` });
    } else {
      const session = await own.resume({ session: id, ...(await callersEnvironment({ env, node })) }, options);
      done(effect.session, { session, text: `${name}: resumed` });
    }
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    send({ kind: "noted", notice: { text: errorLines(error).join("; "), tone: "red" } });
  }
}

const DOING: Record<Exclude<Asked["kind"], "search" | "changes" | "hunks">, string> = {
  answer: "answering",
  send: "sending",
  stop: "stopping",
  resume: "resuming",
};
