import type { TmpmError } from "@tmpm/core";
import type { TmuxDriver } from "../driver.js";
import { unresponsive } from "../failure.js";
import type { FakeClock } from "./fake-clock.js";

export type FakeMethod =
  | "server"
  | "list"
  | "find"
  | "create"
  | "adopt"
  | "release"
  | "rename"
  | "resize"
  | "directories"
  | "paste"
  | "keys"
  | "capture"
  | "captureMany"
  | "output"
  | "kill";

/** `unknown`: the answer is lost, the effect happens. `hang`: no effect, and no answer until time is advanced past the deadline. */
export type FakeFailure = TmpmError | "hang" | "unknown";

/** Deadline of a real driver, in milliseconds. */
const DEADLINES: Readonly<Record<FakeMethod, number>> = {
  server: 3000,
  list: 3000,
  find: 3000,
  capture: 3000,
  captureMany: 3000,
  output: 3000,
  directories: 3000,
  adopt: 5000,
  release: 5000,
  rename: 5000,
  resize: 5000,
  create: 5000,
  paste: 5000,
  keys: 5000,
  kill: 5000,
};

export interface FakeFaults {
  failNext(method: FakeMethod, failure: FakeFailure): void;
  /** While stopped, every call is unanswered and has no effect. */
  stop(stopped: boolean): void;
  isStopped(): boolean;
  /** Runs the task like the method, or fails on request. */
  run<T>(method: FakeMethod, task: () => T): Promise<T>;
}

export function fakeFaults(clock: FakeClock): FakeFaults {
  const planned = new Map<FakeMethod, FakeFailure[]>();
  let stopped = false;
  return {
    failNext: (method, failure) => planned.set(method, [...(planned.get(method) ?? []), failure]),
    stop: (now) => {
      stopped = now;
    },
    isStopped: () => stopped,
    async run(method, task) {
      clock.runDue();
      const failure = planned.get(method)?.shift();
      if (stopped) throw silence(method);
      if (failure === undefined) return task();
      if (failure === "unknown") {
        task();
        throw silence(method);
      }
      if (failure !== "hang") throw failure;
      await new Promise<void>((resolve) => clock.after(DEADLINES[method], resolve));
      throw silence(method);
    },
  };
}

function silence(method: FakeMethod): TmpmError {
  const reads: readonly (keyof TmuxDriver)[] = ["server", "list", "find", "capture", "captureMany", "output", "directories"];
  return unresponsive("tmux did not answer", reads.includes(method) ? "none" : "unknown");
}
