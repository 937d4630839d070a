import { type SendEntry, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import type { ScreenReading } from "../observe/observe.js";
import { squeeze } from "../squeeze.js";
import { digestOf } from "./digest-of.js";
import { clearInput, type Waiting } from "./interrupt-first.js";

/** The send that left the text now in the input; null when a user may have written any of it. */
export async function leftoverIn(
  ctx: Pick<Context, "sends">,
  { record, adapter, look }: Waiting & { readonly look: ScreenReading },
): Promise<SendEntry | null> {
  const { draft } = look.reading;
  if (draft === null || draft === "" || adapter.clears !== true) return null;
  const left = (await ctx.sends.list(record.id)).filter((entry) => entry.left !== null);
  return left.find((entry) => isOf(entry, draft)) ?? null;
}

/** A text that appears late is identified by its digest, if the input shows it unchanged. */
function isOf({ left, digest }: SendEntry, draft: string): boolean {
  return squeeze(left ?? "") === squeeze(draft) || (left === "" && digestOf(draft) === digest);
}

type Clearing = Waiting & { readonly entry: SendEntry };

/** Removes a text of ours from the input; null when it stays. The caller holds the session's queue, and has just looked. */
export async function removeLeftover(ctx: Context, clearing: Clearing): Promise<ScreenReading | null> {
  const cleared = await clearInput(ctx, clearing);
  if (cleared !== null) await ctx.sends.note({ ...clearing.entry, left: null, updated_at: timestampFromMs(ctx.clock.now()) });
  return cleared;
}

export const REMOVED = "text left in the input by an earlier send was removed";
