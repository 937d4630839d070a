import type { Context } from "../context.js";
import type { ScreenReading } from "../observe/observe.js";
import { type AwaitedText, until } from "./until.js";

/** The visible part of a typed text in an input. */
export type Arrival = { readonly kind: "arrived"; readonly evidence: string } | { readonly kind: "mixed"; readonly evidence: string };

type Arriving = AwaitedText & { readonly before: Pick<ScreenReading, "observation"> };

/** An agent draws in steps: text shown only for a moment does not count as mixed. */
const STANDS_MS = 300;

/** Waits until the text appears, alone or together with other text. */
export async function untilArrived(
  ctx: Context,
  arriving: Arriving,
): Promise<{ readonly look: ScreenReading; readonly evidence: Arrival | null }> {
  const mixture = standing(ctx, (now) => mixtureOf(arriving, now));
  return until(ctx, arriving, (now) => arrivalOf(arriving, now) ?? mixture(now));
}

export function arrivalOf({ adapter, before, text }: Arriving, now: ScreenReading): Arrival | null {
  const evidence = adapter.arrived({ before: before.observation, now: now.observation, text });
  return evidence === null ? null : { kind: "arrived", evidence };
}

function mixtureOf({ adapter, before, text }: Arriving, now: ScreenReading): Arrival | null {
  const evidence = adapter.mixed?.({ before: before.observation, now: now.observation, text }) ?? null;
  return evidence === null ? null : { kind: "mixed", evidence };
}

/** The text in the same input after a while. */
export function standing<T>(ctx: Pick<Context, "clock">, find: (now: ScreenReading) => T | null): (now: ScreenReading) => T | null {
  let first: { readonly draft: string | null; readonly at: number } | null = null;
  return (now) => {
    const found = find(now);
    const at = ctx.clock.now();
    const { draft } = now.reading;
    if (found === null) first = null;
    else if (first?.draft !== draft) first = { draft, at };
    return found !== null && first !== null && at - first.at >= STANDS_MS ? found : null;
  };
}
