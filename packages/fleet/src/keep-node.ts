import { isTmpmError, TmpmError } from "@tmpm/core";
import { offline } from "./connect-link.js";
import type { NodeLink } from "./node-link.js";
import { LEASE, type Lease, type Presence, presenceAfter } from "./presence.js";
import type { Timer } from "./timer.js";

export interface KeepOptions {
  readonly connect: (signal: AbortSignal) => Promise<NodeLink>;
  readonly timer: Timer;
  readonly lease?: Lease;
  /** Time limit of a request for the very first connection; default 15,000 ms. */
  readonly patienceMs?: number;
  /** The node answers, from now on. */
  readonly online?: (link: NodeLink) => void;
}

export interface NodeState {
  readonly presence: Presence;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The reason why the node does not answer; null while it does. */
  readonly error: TmpmError | null;
  /** Time of the last message from it, in milliseconds since 1970; null before the first. */
  readonly heardAt: number | null;
  readonly link: NodeLink | null;
}

/** One node with a link that is kept open as long as it is needed. */
export interface KeptNode {
  state(): NodeState;
  /** @throws NODE_OFFLINE at once while the node is known not to answer */
  link(): Promise<NodeLink>;
  close(): Promise<void>;
}

const RETRIES = [1_000, 2_000, 5_000, 10_000, 30_000];
/** A request causes another attempt, at most this often. */
const EAGER_MS = 1_000;

export function keepNode({ connect, timer, lease = LEASE, patienceMs = 15_000, online }: KeepOptions): KeptNode {
  const closing = new AbortController();
  let link: NodeLink | null = null;
  let error: TmpmError | null = null;
  let since = timer.wall();
  let heardAt: number | null = null;
  let failures = 0;
  let triedAt = timer.now();
  let stopRetry: () => void = () => undefined;
  let isTrying = false;
  let waiters: (() => void)[] = [];

  void attempt();

  async function attempt(): Promise<void> {
    stopRetry();
    if (isTrying || closing.signal.aborted) return;
    isTrying = true;
    triedAt = timer.now();
    try {
      const made = await connect(closing.signal);
      isTrying = false;
      established(made);
    } catch (thrown) {
      isTrying = false;
      lost(
        isTmpmError(thrown)
          ? thrown
          : new TmpmError("NODE_OFFLINE", thrown instanceof Error ? thrown.message : "it failed", { cause: thrown }),
      );
    }
  }

  function established(made: NodeLink): void {
    if (closing.signal.aborted) {
      made.close();
      return;
    }
    link = made;
    error = null;
    failures = 0;
    since = timer.wall();
    void made.closed.then((end) => {
      heardAt = timer.wall() - made.silentMs();
      link = null;
      lost(offline(end));
    });
    wake();
    online?.(made);
  }

  function lost(reason: TmpmError): void {
    if (error === null) since = timer.wall();
    error = reason;
    wake();
    if (closing.signal.aborted) return;
    const pauseMs = RETRIES[Math.min(failures, RETRIES.length - 1)] ?? EAGER_MS;
    failures += 1;
    stopRetry = timer.after(pauseMs, () => void attempt());
  }

  function wake(): void {
    for (const waiter of waiters.splice(0)) waiter();
  }

  /** Until the first attempt has ended. */
  function decided(): Promise<void> {
    if (link !== null || error !== null) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = timer.after(patienceMs, resolve);
      waiters = [
        ...waiters,
        () => {
          stop();
          resolve();
        },
      ];
    });
  }

  return {
    state() {
      if (link !== null) {
        const silent = link.silentMs();
        return { presence: presenceAfter(silent, lease), since, error: null, heardAt: timer.wall() - silent, link };
      }
      return { presence: error === null ? "connecting" : "offline", since, error, heardAt, link: null };
    },
    async link() {
      await decided();
      if (link !== null) return link;
      if (timer.now() - triedAt >= EAGER_MS) void attempt();
      throw error ?? offline({ reason: "the connection is not established yet" });
    },
    async close() {
      closing.abort();
      stopRetry();
      link?.close();
      await link?.closed;
      wake();
    },
  };
}
