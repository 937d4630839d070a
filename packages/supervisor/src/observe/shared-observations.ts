import { hasCode } from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { UNANSWERED } from "../unanswered.js";
import { concludeIfEnded } from "./conclude.js";
import { readScreen } from "./observe.js";

/** Shares looks at sessions between concurrent callers. */
export interface SharedObservations {
  /** Resolves when a look that began at this time or later (milliseconds since 1970) is recorded, or has shown that the session is over. */
  since(id: string, atMs: number): Promise<void>;
}

interface Begun {
  readonly at: number;
  readonly done: Promise<void>;
}

export function sharedObservations(ctx: Pick<Context, "clock">, lookAt: (id: string) => Promise<void>): SharedObservations {
  const latest = new Map<string, Begun>();

  function begin(id: string, before: Promise<void>): Begun {
    const begun: { at: number; done: Promise<void> } = { at: Number.POSITIVE_INFINITY, done: before };
    begun.done = before.then(() => {
      begun.at = ctx.clock.now();
      return lookAt(id);
    });
    latest.set(id, begun);
    const forget = () => {
      if (latest.get(id) === begun) latest.delete(id);
    };
    begun.done.then(forget, forget);
    return begun;
  }

  return {
    since(id, atMs) {
      const known = latest.get(id);
      if (known !== undefined && known.at >= atMs) return known.done;
      return begin(id, known === undefined ? Promise.resolve() : known.done.catch(() => undefined)).done;
    },
  };
}

/** One look for all waiters. A host that does not answer reports nothing; an ended program is concluded. */
export async function observeForAll(ctx: Context, id: string): Promise<void> {
  const record = await findSession(ctx, id);
  if (record.state !== "active") return;
  try {
    const seen = await readScreen(ctx, { record, adapter: agentOf(ctx, record) });
    if (seen.pane.exit === null) return;
  } catch (error) {
    if (hasCode(error, ...UNANSWERED, "RESOURCE_EXHAUSTED")) return;
    if (!hasCode(error, "PANE_GONE", "PANE_FOREIGN")) throw error;
  }
  await concludeIfEnded(ctx, id);
}
