import { msFromTimestamp, type SessionRecord } from "@tmpm/core";
import type { ScreenReading } from "../observe/observe.js";

/** More than a terminal buffers for a program that does not read it yet. */
const LONG = 4_000;
const YOUNG_MS = 60_000;
/** Confidence of an adapter that sees every sign of an idle agent. */
const SURE = 0.9;

/**
 * Agents draw their input before they read it and before they request bracketed pastes: a long text is then truncated. So a long text waits
 * until a freshly launched agent shows every sign of being ready.
 */
export function takesLongText(
  { reading }: ScreenReading,
  of: { readonly record: SessionRecord; readonly text: string; readonly nowMs: number },
): boolean {
  const { launched_at } = of.record;
  const young = launched_at !== null && of.nowMs - msFromTimestamp(launched_at) < YOUNG_MS;
  return of.text.length <= LONG || !young || reading.source === "process" || reading.confidence >= SURE;
}
