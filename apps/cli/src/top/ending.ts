import { constants } from "node:os";
import type { TopTerminal } from "./full-screen.js";

export interface Ending {
  /** The exit status, available once it has ended. */
  readonly status: Promise<number>;
  /** Aborted when it ends. */
  readonly signal: AbortSignal;
  readonly end: (status: number) => void;
  readonly fail: (error: unknown) => void;
  /** Another process stops or continues this one. */
  onStop(act: () => void): void;
  onContinue(act: () => void): void;
}

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

/** How the dashboard ends: its own key, a signal, a closed terminal, a fault. */
export function ending({ stdin, stdout }: TopTerminal): Ending {
  const over = new AbortController();
  let end: (status: number) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const status = new Promise<number>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const lost = () => end(128 + constants.signals.SIGHUP);
  const signalled = (signal: NodeJS.Signals) => end(128 + constants.signals[signal]);
  const listeners: (() => void)[] = [];
  const on = (signal: NodeJS.Signals, act: (signal: NodeJS.Signals) => void) => {
    process.on(signal, act);
    listeners.push(() => process.off(signal, act));
  };
  for (const signal of SIGNALS) on(signal, signalled);
  stdin.on("end", lost).on("error", lost);
  stdout.on("error", lost);
  const finish = () => {
    over.abort();
    for (const off of listeners) off();
    // A closed terminal cannot be restored, which is not a fault.
    stdin.off("end", lost);
  };
  status.then(finish, finish);
  return {
    status,
    signal: over.signal,
    end,
    fail,
    onStop: (act) => on("SIGTSTP", act),
    onContinue: (act) => on("SIGCONT", act),
  };
}
