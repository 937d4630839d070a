import { listenerSet } from "@tmpm/core";
import { inTime } from "@tmpm/processes";
import type { Arrivals } from "../transport/arrivals.js";
import type { Reply, Request } from "../transport/channel.js";
import { ATTACH, SETUP } from "./anchor.js";
import { type Connection, connection } from "./connection.js";
import type { ControlItem } from "./parser.js";

export interface LinkOptions {
  readonly program: string;
  /** Before the command: `-u`, the configuration file, the socket. */
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly deadlines: { readonly read: number; readonly mutate: number };
  readonly nonce: () => string;
  readonly monotonic: () => number;
  readonly arrivals: Arrivals;
}

/** The link's events: a change on the server; a lost connection, with events possibly missed; or a late answer. */
export type LinkEvent =
  | { readonly type: "item"; readonly item: Exclude<ControlItem, { type: "block" }> }
  | { readonly type: "up" | "down" | "late" };

/** Keeps one control-mode connection to a running server, and reconnects when it is lost. */
export interface Link {
  isUp(): boolean;
  /** A server is known to run: connect unless that has just failed. */
  serverRuns(): void;
  /** Resolves when our client is not attaching. */
  settled(): Promise<unknown>;
  /** Resolves when the connection is up, or no attempt to connect is under way. */
  attempted(): Promise<void>;
  ask(request: Request): Promise<Reply>;
  onEvent(listener: (event: LinkEvent) => void): void;
  /** Resolves when the client has ended. Idempotent. */
  close(): Promise<void>;
}

/** Some servers of tmux 3.6a end every new control client; frequent retries would only cost time. */
const RETRY_MS = [0, 250, 1000, 5000, 30_000] as const;

export function link(options: LinkOptions): Link {
  const argv = [options.program, "-N", ...options.arguments, "-C", ...ATTACH];
  const { add, notify: emit } = listenerSet<LinkEvent>();
  let current: Connection | null = null;
  let attempt: Promise<void> | null = null;
  let arrival: Promise<unknown> = Promise.resolve();
  let outcome: Promise<void> = Promise.resolve();
  let up = false;
  let failures = 0;
  let notBefore = 0;
  let closing = false;

  async function connect(decided: () => void): Promise<void> {
    const admitted = options.arrivals.admit(() =>
      connection({ ...options, argv, onItem: (item) => emit({ type: "item", item }), onLate: () => emit({ type: "late" }) }),
    );
    arrival = admitted.then(({ attached }) => attached);
    const made = await admitted;
    current = made;
    if (closing) made.close();
    const isAttached = (await inTime(made.attached, options.deadlines.mutate)) === true;
    const ready = isAttached && (await made.ask({ kind: "read", commands: SETUP })).kind === "answered";
    if (ready && !closing) {
      failures = 0;
      up = true;
      emit({ type: "up" });
    } else {
      made.close();
    }
    decided();
    await made.closed;
    if (!ready) failures += 1;
    notBefore = options.monotonic() + (RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0);
    current = null;
    attempt = null;
    if (!up) return;
    up = false;
    emit({ type: "down" });
  }

  return {
    isUp: () => up && current?.isOpen() === true,
    serverRuns() {
      if (attempt !== null || closing || options.monotonic() < notBefore) return;
      outcome = new Promise((resolve) => {
        attempt = connect(resolve);
      });
    },
    settled: () => arrival,
    attempted: () => outcome,
    ask(request) {
      if (current === null) throw new TypeError("the link is not up");
      return current.ask(request);
    },
    onEvent: (listener) => void add(listener),
    async close() {
      closing = true;
      current?.close();
      await attempt;
    },
  };
}
