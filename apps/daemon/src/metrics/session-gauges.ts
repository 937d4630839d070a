import type { Tally } from "@tmpm/supervisor";
import { Gauge, type Registry } from "prom-client";

export interface SessionGaugesOptions {
  readonly tally: () => Promise<Tally>;
  /** The agents that are known; any other is `other`. */
  readonly agents: readonly string[];
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** However often it is asked, the records are gone through no more often than this. */
const FRESH_MS = 5_000;

/** What sessions and their turns do, asked for at a scrape. */
export function sessionGauges(registry: Registry, { tally, agents, now }: SessionGaugesOptions): void {
  let kept: { readonly atMs: number; readonly tally: Promise<Tally> } | null = null;
  const recent = () => {
    if (kept === null || now() - kept.atMs >= FRESH_MS) kept = { atMs: now(), tally: tally() };
    return kept.tally;
  };
  const sessions = new Gauge({
    name: "tmpm_sessions",
    help: "Sessions that are not archived.",
    labelNames: ["state", "agent", "activity"],
    registers: [registry],
    async collect() {
      const counted = await recent();
      sessions.reset();
      for (const { state, agent, activity, count } of counted.sessions)
        sessions.inc({ state, agent: agents.includes(agent) ? agent : "other", activity }, count);
    },
  });
  const turns = new Gauge({
    name: "tmpm_turns",
    help: "Turns that are worked on, and prompts that wait for theirs.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const counted = await recent();
      turns.set({ state: "open" }, counted.turns.open);
      turns.set({ state: "waiting" }, counted.turns.waiting);
    },
  });
}
