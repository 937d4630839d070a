import { Gauge, type Registry } from "prom-client";
import type { Events } from "../events/events.js";

/** The same event stream, with a count of its current readers. */
export function followers(registry: Registry, stream: Events["stream"]): Events["stream"] {
  const reading = new Gauge({ name: "tmpm_event_followers", help: "Readers of event streams.", registers: [registry] });
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
