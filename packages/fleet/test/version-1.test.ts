import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fakeWire } from "../src/fake.js";
import { connectLink, serveLink, systemTimer } from "../src/index.js";
import { ABOUT, IDENTITY } from "./fixture.js";
import { OLD, oldHello, oldPeer } from "./version-1-peer.js";
import { settled } from "./virtual-timer.js";

/** As in a later tmpm, which still supports the version before its own. */
const NEWER = [1, 2] as const;
/** A type that only a later version knows. */
const LATER = 99;

test("a node of version 1 exchanges its messages with a later tmpm, byte for byte", async () => {
  const wire = fakeWire({ timer: systemTimer });
  const node = oldPeer(wire.node, {
    onFrame({ type, channel, payload }, peer) {
      if (type === OLD.hello) peer.send(OLD.hello, 0, oldHello(JSON.parse(payload.toString()).nonce));
      if (type === OLD.ping) peer.send(OLD.pong, 0, JSON.stringify({ at: JSON.parse(payload.toString()).at }));
      if (type === OLD.data) peer.send(OLD.data, channel, `heard ${payload}`);
      if (type === OLD.end) peer.send(OLD.end, channel);
    },
  });
  const link = await connectLink(wire.client, { version: "9.0.0", timer: systemTimer, protocol: NEWER });
  expect(link.peer).toMatchObject({ version: 1, tmpm: "0.1.0", host_name: "old1" });
  const exchange = link.open();
  exchange.end("hello");
  expect(await text(exchange)).toBe("heard hello");
  // Only what version 1 knows, numbered from 0 without a gap.
  expect(node.heard.every(({ type }) => Object.values<number>(OLD).includes(type))).toBe(true);
  expect(node.heard.map(({ serial }) => serial)).toEqual(node.heard.map((_, index) => index));
  expect(node.heard.map(({ type }) => type).filter((type) => type !== OLD.ping)).toEqual([
    OLD.hello,
    OLD.open,
    OLD.data,
    OLD.end,
    OLD.credit,
  ]);
  link.close();
});

test("a client of version 1 is answered by a later node", async () => {
  const wire = fakeWire({ timer: systemTimer });
  const served = serveLink(wire.node, {
    identity: IDENTITY,
    about: ABOUT,
    timer: systemTimer,
    protocol: NEWER,
    serve: (exchange) => void exchange.pipe(exchange),
  });
  const client = oldPeer(wire.client, { onFrame: () => undefined });
  client.send(OLD.hello, 0, JSON.stringify({ versions: [1, 1], tmpm: "0.1.0", nonce: "a nonce of version 1" }));
  client.send(OLD.open, 1);
  client.send(OLD.data, 1, "hello");
  client.send(OLD.end, 1);
  client.send(OLD.ping, 0, JSON.stringify({ at: 7 }));
  await expect.poll(() => client.heard.some(({ type }) => type === OLD.pong)).toBe(true);
  await settled();
  const [greeting] = client.heard;
  expect(JSON.parse(greeting?.payload.toString() ?? "")).toMatchObject({ versions: [1, 2], node_id: IDENTITY.node_id, ...ABOUT });
  const answer = client.heard.filter(({ type }) => type === OLD.data).map(({ payload }) => payload.toString());
  expect(answer.join("")).toBe("hello");
  expect(client.heard.filter(({ type }) => type === OLD.end)).toMatchObject([{ channel: 1 }]);
  client.close();
  await served.closed;
});

test("frames of a type that version 1 does not know are skipped, and counted", async () => {
  const wire = fakeWire({ timer: systemTimer });
  oldPeer(wire.node, {
    onFrame({ type, channel, payload }, peer) {
      if (type === OLD.hello) peer.send(OLD.hello, 0, oldHello(JSON.parse(payload.toString()).nonce));
      if (type !== OLD.data) return;
      peer.send(LATER, 0, "for the whole link");
      peer.send(LATER, channel, "for the exchange");
      peer.send(OLD.data, channel, payload);
      peer.send(OLD.end, channel);
    },
  });
  const link = await connectLink(wire.client, { version: "0.1.0", timer: systemTimer });
  const exchange = link.open();
  exchange.end("as before");
  expect(await text(exchange)).toBe("as before");
  link.close();
});
