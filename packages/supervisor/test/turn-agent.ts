import type { AgentAdapter, Reading } from "@tmpm/agents";
import type { Clock } from "../src/index.js";
import { composer, type Fixture, fixture } from "./fixture.js";
import { turnProgram } from "./turn-program.js";

/** Time at which the limit of a prompt `limit` resets. */
export const LIMIT_RESETS_MS = Date.UTC(2030, 0, 2, 3, 4, 5);

export const turnAgent: AgentAdapter = {
  ...composer,
  id: "turner",
  launch: async ({ conversationId }) => ({ argv: ["turn-agent"], env: {}, conversationId, carriesPrompt: false }),
  read: ({ lines, dead }) => readTurner(lines.filter((line) => line.trim() !== "").at(-1) ?? "", dead),
  submitted: ({ now }) => {
    const last = now.lines.filter((line) => line.trim() !== "").at(-1) ?? "";
    return last === "working" || last === "allow it?" || last.startsWith("limit") ? "it works" : null;
  },
  interrupt: { keys: ["Escape"] },
  approve: ({ decision }) => (decision === null ? null : ["y"]),
  deny: ({ decision }) => (decision === null ? null : ["n"]),
};

function readTurner(last: string, dead: boolean): Reading {
  const base = { source: "screen", confidence: 1, hint: null, draft: null, decision: null, evidence: [last] } as const;
  if (dead) return { ...base, state: "exited" };
  if (last.startsWith("error>")) return { ...base, state: "errored", draft: last.slice(7) };
  if (last.startsWith(">")) return { ...base, state: "idle", draft: last.slice(2) };
  if (last === "working") return { ...base, state: "working" };
  if (last.startsWith("limit reached")) {
    return { ...base, state: "awaiting_input", limit: { message: "limit reached", resetsAtMs: LIMIT_RESETS_MS }, leave: ["s"] };
  }
  if (last !== "allow it?") return { ...base, state: "starting" };
  const choices = [
    { label: "yes", keys: ["y"], takesText: false },
    { label: "no", keys: ["n"], takesText: false },
  ] as const;
  return { ...base, state: "awaiting_approval", decision: { kind: "approval", tool: "shell", subject: "it", choices } };
}

export interface TurnFixture extends Fixture {
  /** The prompts that the agents accepted, in order. */
  readonly taken: readonly string[];
  open(name: string): Promise<void>;
}

/** A fixture with such an agent for each session. */
export function turnFixture(options: Parameters<typeof fixture>[0] = {}): TurnFixture {
  const taken: string[] = [];
  const each = fixture({
    adapters: [composer, turnAgent],
    programs: { "turn-agent": turnProgram((prompt) => taken.push(prompt)) },
    ...options,
  });
  return {
    ...each,
    taken,
    open: async (name) => void (await each.sessions.create({ agent: "turner", cwd: "/w", name })),
  };
}

/** Virtual time for many at once: it advances to the next awaited time once nothing else can run. */
export function sharedClock({ now, advance }: Pick<Fixture["tmux"], "now" | "advance">): Clock {
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  let pumping = false;
  async function pump(): Promise<void> {
    pumping = true;
    while (sleepers.length > 0) {
      await new Promise(setImmediate);
      const next = Math.min(...sleepers.map(({ at }) => at));
      advance(Math.max(0, next - now()));
      for (const due of sleepers.filter(({ at }) => at <= next)) {
        sleepers.splice(sleepers.indexOf(due), 1);
        due.wake();
      }
    }
    pumping = false;
  }
  return {
    now,
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ at: now() + ms, wake });
        if (!pumping) void pump();
      }),
  };
}
