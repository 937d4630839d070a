import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Talk, type TalkOptions, talk } from "../src/agent/talk.js";
import type { ConversationEvent } from "../src/conversation/event.js";
import type { ConversationState } from "../src/conversation/state.js";
import { eventLog } from "../src/holder/event-log.js";
import { transcriptLines } from "../src/transcript/transcript-lines.js";

export const SCRIPTED_AGENT = fileURLToPath(new URL("../testing/scripted-agent.mjs", import.meta.url));

/** The scripted agent's reaction to a prompt. */
export function script(does: Readonly<Record<string, unknown>>): string {
  return `agent: ${JSON.stringify(does)}`;
}

export interface AgentFixture {
  readonly talk: Talk;
  readonly events: readonly ConversationEvent[];
  readonly pid: number;
  state(): ConversationState;
  lines(): readonly string[];
  /** Resolves at the first state that satisfies the condition. */
  until(so: (state: ConversationState) => boolean): Promise<ConversationState>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface FixtureOptions extends Partial<Pick<TalkOptions, "conversationId" | "wishes" | "env" | "tools" | "patience">> {
  readonly habits?: Readonly<Record<string, unknown>>;
}

const WITHIN_MS = 100_000;

/** A conversation with its own scripted agent. */
export async function agentFixture({ habits = {}, patience = {}, ...options }: FixtureOptions = {}): Promise<AgentFixture> {
  const cwd = await mkdtemp(join(tmpdir(), "tmpm-talk-"));
  const child = spawn(process.execPath, [SCRIPTED_AGENT], { cwd, env: { ...process.env, TMPM_SCRIPTED: JSON.stringify(habits) } });
  const events: ConversationEvent[] = [];
  const waiting = new Set<() => void>();
  const log = eventLog({
    now: Date.now,
    onAppend({ event }) {
      events.push(event);
      for (const look of waiting) look();
    },
  });
  const ended = once(child, "exit");
  ended.then(([status]) => log.append({ type: "exited", status: typeof status === "number" ? status : null, signal: null }));
  let ids = 0;
  const talking = talk({
    pipes: child,
    cwd,
    env: {},
    conversationId: null,
    wishes: {},
    version: "1",
    newId: () => `ask-${++ids}`,
    ...options,
    // An agent on a slow machine is not one that does not read.
    patience: { writesMs: WITHIN_MS, ...patience },
    report: log.append,
    state: log.state,
  });
  return {
    talk: talking,
    events,
    pid: child.pid ?? 0,
    state: log.state,
    lines: () => transcriptLines(log.state().transcript),
    until: (so) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`never so: ${so}: ${JSON.stringify(log.state()).slice(0, 2_000)}`)), WITHIN_MS);
        const look = () => {
          if (!so(log.state())) return;
          clearTimeout(late);
          waiting.delete(look);
          resolve(log.state());
        };
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
      await rm(cwd, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
