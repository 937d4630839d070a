import { hasCode, isTmpmError, type PaneIdentity, shortageOf } from "@tmpm/core";
import type { OutputListener, OutputSubscription } from "../driver.js";
import { capturePainted } from "../observe/capture.js";
import { requireRow } from "../observe/find.js";
import type { ClientOptions } from "../one-shot/client.js";
import type { ObserveContext } from "../server/server-context.js";
import { type Delivery, delivery, type Ending, type Snapshot } from "./delivery.js";
import { type LastingReader, lastingReader } from "./lasting-reader.js";
import { openReader, type Reader } from "./reader.js";

export interface PaneStreamOptions {
  readonly client: ClientOptions;
  readonly identity: PaneIdentity;
  /** Interval of checks that the program still runs, in milliseconds: tmux does not report its end. */
  readonly everyMs: number;
  /** Called once, when there are no listeners left or the output has ended. */
  readonly over: () => void;
}

/** The output of one pane, for any number of listeners. Ends with the last of them. */
export interface PaneStream {
  isOver(): boolean;
  subscribe(listener: OutputListener): OutputSubscription;
  /** The program may have ended. */
  check(): void;
  /** Ends all subscriptions. Resolves when the client has ended. */
  close(): Promise<void>;
}

/** @throws PANE_GONE, PANE_FOREIGN, TMUX_UNRESPONSIVE, TMUX_FAILED */
export async function paneStream(context: ObserveContext, options: PaneStreamOptions): Promise<PaneStream> {
  const { client, identity } = options;
  const deliveries = new Set<Delivery>();
  const eachDelivery = (each: (one: Delivery) => void) => [...deliveries].forEach(each);
  const missed = () => eachDelivery((one) => one.lost());
  let exitCheck: { run(): void } | null = null;
  const check = () => exitCheck?.run();
  const events = { bytes: (bytes: Buffer) => eachDelivery((one) => one.take(bytes)), dropped: missed, changed: check };
  const gone = () => end({ type: "closed" });
  const reader = await lastingReader({ open: () => openReader(context, { client, identity, events }), missed, gone });
  exitCheck = checkOfExit(context, { identity, reader, ended: end });
  const timer = setInterval(check, options.everyMs);
  timer.unref();
  let over = false;

  function end(ending: Ending): void {
    eachDelivery((one) => one.end(ending));
    void stop();
  }

  async function stop(): Promise<void> {
    if (!over) options.over();
    over = true;
    clearInterval(timer);
    await reader.close();
  }

  return {
    isOver: () => over,
    subscribe(listener) {
      const finished = () => {
        deliveries.delete(made);
        if (deliveries.size === 0) void stop();
      };
      const made = delivery({ listener, snapshot: (cut) => snapshot(context, { identity, reader: reader.current(), cut }), finished });
      deliveries.add(made);
      check();
      return made;
    },
    check,
    async close() {
      eachDelivery((one) => one.close());
      await stop();
    },
  };
}

async function snapshot(
  context: ObserveContext,
  { identity, reader, cut }: { readonly identity: PaneIdentity; readonly reader: Reader; readonly cut: () => void },
): Promise<Snapshot> {
  try {
    return await capturePainted(over(context, { reader, ran: cut }), identity);
  } catch (error) {
    // Any problem of this client or this pane also affects the next client.
    reader.connection.close();
    throw error;
  }
}

interface ExitCheckOptions {
  readonly identity: PaneIdentity;
  readonly reader: LastingReader;
  readonly ended: (ending: Ending) => void;
}

/** Queries over the reading client, so that the answer follows all earlier output of the pane. */
function checkOfExit(context: ObserveContext, { identity, reader, ended }: ExitCheckOptions) {
  let running = false;

  async function look(asked: Reader): Promise<void> {
    const where = over(context, { reader: asked });
    const { row } = await requireRow(where, identity);
    if (row.tmuxSession !== asked.tmuxSession) asked.connection.close();
    if (!row.dead) return;
    const last = await capturePainted(where, identity);
    if (last.screen.pane.exit !== null) ended({ type: "exited", snapshot: last });
  }

  async function run(): Promise<void> {
    const asked = reader.current();
    if (running || !asked.connection.isOpen()) return;
    running = true;
    try {
      await look(asked);
    } catch (error) {
      // Without an answer the state is unknown, and the next check queries again.
      if (!isTmpmError(error) && shortageOf(error) === null) throw error;
      if (hasCode(error, "PANE_GONE", "PANE_FOREIGN")) ended({ type: "closed" });
    } finally {
      running = false;
    }
  }

  return { run: () => void run() };
}

function over(context: ObserveContext, { reader, ran }: { readonly reader: Reader; readonly ran?: () => void }): ObserveContext {
  return { ...context, channel: { ask: (request) => reader.connection.ask(request, ran === undefined ? {} : { ran }) } };
}
