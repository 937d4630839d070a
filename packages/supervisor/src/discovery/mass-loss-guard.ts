import { type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { onePerPlace, terminalKey, terminalsOf } from "./terminals.js";

/** Remembers suspected absences of terminals, so that one fault is reported once. */
export interface MassLossGuard {
  /** True when one of the terminals was not suspected before. */
  begin(terminals: readonly string[]): boolean;
  /** A look found all terminals. */
  end(): void;
}

export function massLossGuard(): MassLossGuard {
  const suspected = new Set<string>();
  return {
    begin(terminals) {
      const fresh = terminals.some((terminal) => !suspected.has(terminal));
      for (const terminal of terminals) suspected.add(terminal);
      return fresh;
    },
    end: () => suspected.clear(),
  };
}

/** Fewer simultaneous ends are not suspicious. */
const MANY = 3;

export interface Disappearance {
  /** Sessions whose terminals are missing from a look. */
  readonly gone: readonly SessionRecord[];
  /** All sessions covered by the look. */
  readonly total: number;
}

export function isMassLoss({ gone, total }: Disappearance): boolean {
  return gone.length >= MANY && gone.length * 2 > total;
}

/**
 * The sessions that are certainly gone. When many seem gone at once, the observation may be wrong, so it is repeated later in another way;
 * if that is undetermined, no session counts as gone.
 */
export async function confirmedGone(ctx: Context, seen: Disappearance): Promise<readonly SessionRecord[]> {
  if (!isMassLoss(seen)) return seen.gone;
  if (ctx.discovery.massLossGuard.begin(seen.gone.flatMap(({ pane }) => (pane === null ? [] : [terminalKey(pane)]))))
    emitMassLoss(ctx, seen);
  await ctx.clock.sleep(ctx.settings.suspicionMs);
  const places = onePerPlace(seen.gone.flatMap(({ pane }) => (pane === null ? [] : [ctx.host.at(pane)])));
  const answers = await Promise.all(places.map(async (host) => ({ host, answer: await host.listAgain() })));
  const terminals = terminalsOf(answers);
  return seen.gone.filter(({ pane }) => pane !== null && terminals.at(pane) === null);
}

function emitMassLoss(ctx: Pick<Context, "clock" | "emit">, { gone, total }: Disappearance): void {
  ctx.emit({
    type: "observer_suspected",
    at: timestampFromMs(ctx.clock.now()),
    session_id: null,
    reason: "simultaneous_change",
    affected: gone.length,
    total,
  });
}
