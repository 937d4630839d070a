import { Gauge, type Registry } from "prom-client";
import type { Events } from "../events.js";

/** The same stream of events, whose readers are counted for as long as they read. */
export function followers(registry: Registry, stream: Events["stream"]): Events["stream"] {
  const reading = new Gauge({ name: "tmpm_event_followers", help: "Readers of streams of events.", registers: [registry] });
  async function* counted(frames: AsyncIterable<string>): AsyncGenerator<string> {
    reading.inc();
    try {
      yield* frames;
    } finally {
      reading.dec();
    }
  }
  return async (input, request) => counted(await stream(input, request));
}
