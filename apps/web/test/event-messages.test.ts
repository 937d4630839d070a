import { expect, test } from "vitest";
import { type EventMessage, eventMessages } from "../src/daemon/event-messages.js";

const STREAM = 'retry: 1000\n\nid: 24\ndata: {"seq":24}\n\n: so far\nid: 31\n\nevent: behind\ndata: {"snapshot_at": 40}\n\n';

function messagesOf(pieces: readonly string[]): readonly EventMessage[] {
  const received: EventMessage[] = [];
  const take = eventMessages((message) => received.push(message));
  for (const piece of pieces) take(piece);
  return received;
}

test("messages are the same for any split of the stream", () => {
  const whole = messagesOf([STREAM]);
  expect(whole).toEqual([
    { id: null, kind: "message", data: null },
    { id: "24", kind: "message", data: '{"seq":24}' },
    { id: "31", kind: "message", data: null },
    { id: null, kind: "behind", data: '{"snapshot_at": 40}' },
  ]);
  for (let at = 0; at <= STREAM.length; at++) expect(messagesOf([STREAM.slice(0, at), STREAM.slice(at)])).toEqual(whole);
});

test("an incomplete message is not reported", () => {
  expect(messagesOf(['id: 1\ndata: {"seq":1}\n'])).toEqual([]);
});
