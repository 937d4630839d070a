import type { ReadyAnswer } from "@tmpm/api";
import { type ErrorCode, TmpmError } from "@tmpm/core";

/** Preconditions of readiness; each returns why it is not met, or null. */
export interface ReadinessParts {
  readonly store: () => string | null;
  readonly events: () => string | null;
  readonly audit: () => string | null;
  /** Whether the last daemon's work has been resumed. */
  readonly recovered: () => boolean;
  readonly tmux: () => Promise<string | null>;
}

/** @throws NOT_READY, with the same checks in its details */
export async function readiness({ store, events, audit, recovered, tmux }: ReadinessParts): Promise<ReadyAnswer> {
  const checks = [
    check("store", store()),
    check("events", events()),
    check("audit", audit()),
    check("recovery", recovered() ? null : "the last daemon's work is not resumed yet"),
    check("tmux", await tmux()),
  ];
  const failed = checks.filter(({ ok }) => !ok);
  if (failed.length === 0) return { ready: true, checks };
  throw new TmpmError("NOT_READY", failed.map(({ name, message }) => `${name}: ${message}`).join("; "), {
    hint: "See `tmpm doctor`.",
    details: { checks, retry_after_s: 1 },
  });
}

function check(name: string, message: string | null): ReadyAnswer["checks"][number] {
  return { name, ok: message === null, message };
}

export interface Pulse {
  /** For every call to tmux. */
  heard(call: { readonly code: ErrorCode | null }): void;
  /** Null when tmux answered recently. */
  fault(): Promise<string | null>;
}

export interface PulseOptions {
  /** Sends tmux a small request; returns why it failed. */
  readonly ask: () => Promise<string | null>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const LATELY_MS = 15_000;
const ANSWER_MS = 2_000;
/** A refusal by tmux also counts as a response. */
const SILENT: ReadonlySet<ErrorCode | null> = new Set<ErrorCode>(["TMUX_UNRESPONSIVE", "TMUX_NOT_FOUND", "TMUX_TOO_OLD"]);

/** Whether tmux responds: known from regular calls, or else from a request. */
export function pulse({ ask, now }: PulseOptions): Pulse {
  let answeredMs = Number.NEGATIVE_INFINITY;
  return {
    heard({ code }) {
      answeredMs = SILENT.has(code) ? Number.NEGATIVE_INFINITY : now();
    },
    async fault() {
      if (now() - answeredMs < LATELY_MS) return null;
      let timer: NodeJS.Timeout | null = null;
      const late = new Promise<string>((resolve) => {
        timer = setTimeout(resolve, ANSWER_MS, `tmux did not answer within ${ANSWER_MS} ms`);
      });
      return Promise.race([ask(), late]).finally(() => {
        if (timer !== null) clearTimeout(timer);
      });
    },
  };
}
