import type { OutputListener, OutputSubscription } from "../driver.js";
import { paintedScreen } from "../observe/paint.js";
import { type Delivery, delivery } from "../output/delivery.js";
import { requireStream } from "../output/most-streams.js";
import { screenOf } from "./fake-capture.js";
import type { FakePane, FakeTap } from "./fake-pane.js";
import type { FakeServer } from "./fake-server.js";

/** Delivers all output of the fake server's panes to listeners. */
export interface FakeOutputs {
  /** @throws RESOURCE_EXHAUSTED */
  open(pane: FakePane, listener: OutputListener): OutputSubscription;
  close(): void;
}

export function fakeOutputs(server: FakeServer): FakeOutputs {
  const open = new Map<Delivery, FakePane>();
  const snapshotOf = (pane: FakePane) => {
    const screen = screenOf(server, { pane, history: 0 });
    const paint = paintedScreen({ lines: screen.lines, cursor: screen.cursor, rows: pane.rows, modes: {} });
    return { screen, paint: Buffer.from(paint) };
  };
  return {
    open(pane, listener) {
      const read = new Set(open.values());
      if (!read.has(pane)) requireStream(read.size);
      const made = delivery({
        listener,
        async snapshot(cut) {
          cut();
          return snapshotOf(pane);
        },
        finished() {
          open.delete(made);
          pane.taps.delete(tap);
        },
      });
      const tap: FakeTap = {
        printed: made.take,
        lost: made.lost,
        ended: (how) => made.end(how === "exited" ? { type: how, snapshot: snapshotOf(pane) } : { type: how }),
      };
      open.set(made, pane);
      pane.taps.add(tap);
      if (pane.exit !== null) tap.ended("exited");
      return made;
    },
    close() {
      for (const made of open.keys()) made.close();
    },
  };
}
