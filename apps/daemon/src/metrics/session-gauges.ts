import type { Tally } from "@tmpm/supervisor";
import { Gauge, type Registry } from "prom-client";

export interface SessionGaugesOptions {
  readonly tally: () => Promise<Tally>;
  /** The known agents; any other is `other`. */
  readonly agents: readonly string[];
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Minimum interval between scans of the records, for any number of calls. */
const FRESH_MS = 5_000;

/** The state of sessions and turns, read at each scrape. */
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
    help: "Running turns and queued prompts.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const counted = await recent();
      turns.set({ state: "open" }, counted.turns.open);
      turns.set({ state: "waiting" }, counted.turns.waiting);
    },
  });
}
