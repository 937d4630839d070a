import { type ErrorCode, isTmpmError } from "@tmpm/core";
import type { TmuxDriver } from "@tmpm/tmux-driver";

/** Called with a tmux call's duration in ms, and its failure; null if tmux responded. */
export type CallMeter = (call: string, ended: { readonly ms: number; readonly code: ErrorCode | null }) => void;

type Calls = {
  readonly [K in keyof TmuxDriver]: TmuxDriver[K] extends (...args: never[]) => Promise<unknown> ? K : never;
}[keyof TmuxDriver];

/** The same driver with measured calls. Listening and ending processes are excluded, because their duration depends on other processes. */
export function meteredDriver(driver: TmuxDriver, meter: CallMeter): TmuxDriver {
  function timed<A extends readonly unknown[], R>(call: Calls, run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      const begun = performance.now();
      const record = (code: ErrorCode | null) => meter(call, { ms: performance.now() - begun, code });
      try {
        const answer = await run(...args);
        record(codeIn(answer));
        return answer;
      } catch (error) {
        record(isTmpmError(error) ? error.code : "INTERNAL");
        throw error;
      }
    };
  }
  return {
    get transport() {
      return driver.transport;
    },
    socket: driver.socket,
    server: timed("server", driver.server),
    isServed: driver.isServed,
    list: timed("list", driver.list),
    find: timed("find", driver.find),
    create: timed("create", driver.create),
    adopt: timed("adopt", driver.adopt),
    release: timed("release", driver.release),
    rename: timed("rename", driver.rename),
    resize: timed("resize", driver.resize),
    directories: timed("directories", driver.directories),
    paste: timed("paste", driver.paste),
    keys: timed("keys", driver.keys),
    capture: timed("capture", driver.capture),
    captureMany: timed("captureMany", driver.captureMany),
    kill: driver.kill,
    watch: driver.watch,
    output: driver.output,
    attachCommand: driver.attachCommand,
    close: driver.close,
  };
}

/** The reason of an unknown answer, or of the first of several. */
function codeIn(answer: unknown): ErrorCode | null {
  if (Array.isArray(answer)) return answer.reduce<ErrorCode | null>((code, each) => code ?? codeIn(each), null);
  if (typeof answer !== "object" || answer === null || !("kind" in answer) || answer.kind !== "unknown") return null;
  return "error" in answer && isTmpmError(answer.error) ? answer.error.code : "INTERNAL";
}
