import type { HolderLink } from "@tmpm/holder";
import { expect, test } from "vitest";
import { afterEvent } from "../src/conversation/after-event.js";
import type { NumberedEvent } from "../src/conversation/event.js";
import { NO_CONVERSATION } from "../src/conversation/state.js";
import { mirror } from "../src/host/mirror.js";
import { transcriptLines } from "../src/transcript/transcript-lines.js";

const noted = (seq: number): NumberedEvent => ({ seq, at_ms: seq, event: { type: "noted", text: `n${seq}` } });

/** A holder with this many events. */
function holder() {
  const events: NumberedEvent[] = [noted(1)];
  const asked: number[] = [];
  const link: HolderLink = {
    facts: { protocol: 1, session_id: "s", name: "n", socket: "/s", pid: 1, start: "1", boot: "", started_at: 1, program: null },
    isOpen: () => true,
    async call(_verb, { args } = {}) {
      const since = typeof args === "object" && args !== null && "since" in args ? Number(args.since) : 0;
      asked.push(since);
      return {
        value: { missed: { kind: "events", events: events.filter(({ seq }) => seq > since) }, columns: 1, rows: 1, command: "" },
        bytes: new Uint8Array(),
      };
    },
    hold: () => undefined,
    close: () => undefined,
  };
  return { events, asked, link };
}

test("after a gap in a holder's events the missed ones are queried, and each is delivered once, in order", async () => {
  const { events, asked, link } = holder();
  const heard: number[] = [];
  const lost: unknown[] = [];
  const held = mirror({ link, happened: ({ seq }) => heard.push(seq), found: () => undefined, lost: (error) => lost.push(error) });
  await held.ready;
  for (const seq of [2, 3, 4]) events.push(noted(seq));
  held.hear(noted(2));
  held.hear(noted(4));
  await expect.poll(() => heard).toEqual([2, 3, 4]);
  events.push(noted(5));
  held.hear(noted(5));
  held.hear(noted(3));
  expect([heard, asked, lost]).toEqual([[2, 3, 4, 5], [0, 2], []]);
  const whole = events.reduce((state, event) => afterEvent(state, event), NO_CONVERSATION);
  expect(transcriptLines(held.state().transcript)).toEqual(transcriptLines(whole.transcript));
});
