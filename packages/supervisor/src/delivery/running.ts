import type { Receipt, SendEntry, SendReason } from "@tmpm/core";
import { receiptOf } from "./receipt.js";

/** Why a send waits, in words, and a hint. */
export interface Hold {
  readonly reason: SendReason;
  readonly evidence: readonly string[];
  readonly hint: string | null;
}

export type TakenBack = "caller_gone" | "cancelled" | "interrupted" | "session_ended";

/** One send under way in this process. */
export interface Running {
  readonly id: string;
  readonly session: string;
  readonly text: string;
  /** As last noted. */
  entry(): SendEntry;
  noted(entry: SendEntry): void;
  /** Why it waits; null while it is typed. */
  hold(): Hold | null;
  waitsFor(hold: Hold | null): void;
  /** Resolves when it has to wait for the first time. */
  readonly held: Promise<Hold>;
  /** Requests its end: before anything is typed, or before the Enter of a text that the last daemon may have typed. Too late after that. */
  takeBack(why: TakenBack, evidence?: readonly string[]): void;
  takenBack(): { readonly why: TakenBack; readonly evidence: readonly string[] } | null;
  /** The daemon ends, whatever was requested before. */
  isLeaving(): boolean;
  /** Its outcome. Rejects with errors that are more useful to its caller than a receipt. */
  readonly receipt: Promise<Receipt>;
}

export interface RunningOptions {
  readonly entry: SendEntry;
  readonly text: string;
  readonly conduct: (running: Running) => Promise<Receipt>;
  /** Signals a change to waiters. */
  readonly wake: () => void;
}

export function running({ entry: accepted, text, conduct, wake }: RunningOptions): Running {
  let entry = accepted;
  let hold: Hold | null = null;
  let takenBack: ReturnType<Running["takenBack"]> = null;
  let leaving = false;
  let resolveHeld: (hold: Hold) => void = () => undefined;
  const held = new Promise<Hold>((resolve) => (resolveHeld = resolve));
  const begin: { go: () => void } = { go: () => undefined };
  const begun = new Promise<void>((resolve) => (begin.go = resolve));
  const self: Running = {
    id: accepted.id,
    session: accepted.session_id,
    text,
    entry: () => entry,
    noted: (next) => {
      entry = next;
    },
    hold: () => hold,
    waitsFor(next) {
      hold = next;
      if (next !== null) resolveHeld(next);
    },
    held,
    takeBack(why, evidence = []) {
      takenBack ??= { why, evidence };
      leaving ||= why === "interrupted";
      wake();
    },
    takenBack: () => takenBack,
    isLeaving: () => leaving,
    receipt: begun.then(() => conduct(self)),
  };
  begin.go();
  return self;
}

/** Whether it is delivered without the caller that began it. */
export function outlives(running: Running): boolean {
  const { background, key } = running.entry();
  return background || key !== null;
}

/** It may have been typed by the last daemon, and its terminal was not seen since. */
function isUnexamined(running: Running): boolean {
  const { step } = running.entry();
  return step !== "accepted" && step !== "done" && running.hold() !== null;
}

/** Its outcome, or null as soon as it `isUnexamined`. Rejects like `receipt`. */
export async function outcomeOnceSeen(running: Running): Promise<Receipt | null> {
  if (isUnexamined(running)) return null;
  const outcome = await Promise.race([running.receipt, running.held.then(() => null)]);
  return outcome === null && !isUnexamined(running) ? running.receipt : outcome;
}

/** The provisional receipt of a waiting send. */
export function heldReceipt(running: Running, hold: Hold): Receipt {
  const { id, bytes } = running.entry();
  return receiptOf({ outcome: "held", ...hold }, { id, bytes });
}
