import { type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { onePerPlace, terminalKey, terminalsOf } from "./terminals.js";

/** Remembers the terminals whose absence is in doubt, so that one fault is reported once. */
export interface Doubt {
  /** True when one of the terminals was not doubted before. */
  begin(terminals: readonly string[]): boolean;
  /** A look found everything in its place. */
  end(): void;
}

export function doubt(): Doubt {
  const doubted = new Set<string>();
  return {
    begin(terminals) {
      const fresh = terminals.some((terminal) => !doubted.has(terminal));
      for (const terminal of terminals) doubted.add(terminal);
      return fresh;
    },
    end: () => doubted.clear(),
  };
}

/** Fewer than so many gone at once are nothing special. */
const MANY = 3;

export interface Disappearance {
  /** Sessions whose terminal one look did not show any more. */
  readonly gone: readonly SessionRecord[];
  /** All sessions that the look was about. */
  readonly total: number;
}

export function isDoubtful({ gone, total }: Disappearance): boolean {
  return gone.length >= MANY && gone.length * 2 > total;
}

/**
 * Those of the sessions that are gone beyond doubt. When many seem gone at once, the fault may be the observer's, so a second look is taken, later and another
 * way; what that one cannot determine is not believed.
 */
export async function goneBeyondDoubt(ctx: Context, seen: Disappearance): Promise<readonly SessionRecord[]> {
  if (!isDoubtful(seen)) return seen.gone;
  if (ctx.doubt.begin(seen.gone.flatMap(({ pane }) => (pane === null ? [] : [terminalKey(pane)])))) emitDoubt(ctx, seen);
  await ctx.clock.sleep(ctx.settings.suspicionMs);
  const places = onePerPlace(seen.gone.flatMap(({ pane }) => (pane === null ? [] : [ctx.host.at(pane)])));
  const answers = await Promise.all(places.map(async (host) => ({ host, answer: await host.listAgain() })));
  const terminals = terminalsOf(answers);
  return seen.gone.filter(({ pane }) => pane !== null && terminals.at(pane) === null);
}

function emitDoubt(ctx: Context, { gone, total }: Disappearance): void {
  ctx.emit({
    type: "observer_suspected",
    at: timestampFromMs(ctx.clock.now()),
    session_id: null,
    reason: "simultaneous_change",
    affected: gone.length,
    total,
  });
}
