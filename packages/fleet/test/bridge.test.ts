import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fakeWire } from "../src/fake.js";
import { bridge, systemTimer } from "../src/index.js";
import { linked } from "./fixture.js";
import { virtualTimer } from "./virtual-timer.js";

interface Seen {
  readonly request: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

const seen: Promise<Seen>[] = [];
const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  seen.push(received(request));
  request.on("end", () => response.end("answer"));
});
const closings: Promise<unknown>[] = [];
server.on("connection", (socket) => closings.push(new Promise((resolve) => socket.on("close", resolve))));

async function received(request: IncomingMessage): Promise<Seen> {
  const about = { request: `${request.method} ${request.url}`, authorization: request.headers.authorization };
  return { ...about, body: await text(request).catch(() => "cut") };
}

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  seen.length = 0;
  closings.length = 0;
  server.removeAllListeners("upgrade");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Opening {
  /** The daemon runs from then on. */
  readonly starts?: Promise<void>;
  /** An exchange at the node's end. */
  readonly arrived?: (exchange: Duplex) => void;
  readonly connected?: (daemon: Socket) => void;
}

async function opened({ starts, arrived, connected }: Opening = {}): Promise<Duplex> {
  const port = (server.address() as AddressInfo).port;
  const serve = bridge({
    token: "own",
    async connect() {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      connected?.(socket);
      await starts;
      return socket;
    },
  });
  const both = (exchange: Duplex) => {
    arrived?.(exchange);
    serve(exchange);
  };
  const link = await linked(fakeWire({ timer: systemTimer }), { serve: both }).link;
  const exchange = link.open();
  exchange.on("error", () => undefined);
  return exchange;
}

const SECOND = "POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
const chunked = (body: string) => `POST /first HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
const withLength = (length: string, body: string) => `POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`;
const get = (...fields: readonly string[]) => `GET /first HTTP/1.1\r\nHost: x\r\n${fields.map((field) => `${field}\r\n`).join("")}\r\n`;
const WEBSOCKET = get("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: a2V5", "Sec-WebSocket-Version: 13");

const SMUGGLED: readonly (readonly [string, string])[] = [
  ["a second request", get()],
  ["an empty Upgrade", get("Upgrade:", "Connection: keep-alive")],
  ["an Upgrade to another protocol", get("Connection: Upgrade", "Upgrade: h2c")],
  ["two Upgrades", get("Connection: Upgrade", "Upgrade: websocket", "Upgrade: websocket")],
  ["a WebSocket that the server does not open", WEBSOCKET],
  ["a WebSocket with an expectation", WEBSOCKET.replace("Host", "Expect: 100-continue\r\nHost")],
  ["a POST with Upgrade", get("Connection: Upgrade", "Upgrade: websocket").replace("GET", "POST")],
  ["Proxy-Connection", get("Proxy-Connection: keep-alive", "Keep-Alive: timeout=60")],
  ["a body longer than its length", withLength("2", "ab")],
  ["a body of length 0", withLength("0", "")],
  ["two lengths", withLength("0\r\nContent-Length: 60", "")],
  ["a signed length", withLength("+0", "")],
  ["a length and chunks", withLength("60\r\nTransfer-Encoding: chunked", "0\r\n\r\n")],
  ["a coding before chunked", chunked("0\r\n\r\n").replace("chunked", "identity, chunked")],
  ["chunks after a space", chunked("0\r\n\r\n").replace("Encoding:", "Encoding :")],
  ["bytes behind the last chunk", chunked("2\r\nab\r\n0\r\n\r\n")],
  ["trailers", chunked("0\r\nHost: y\r\n\r\n")],
  ["an extension of a chunk", chunked("0;a=b\r\n\r\n")],
  ["a bare line feed after a chunk's size", chunked("0\n\r\n")],
  ["a chunk longer than its size", chunked("2\r\nabc\r\n0\r\n\r\n")],
  ["a size with a prefix", chunked("0x2\r\nab\r\n0\r\n\r\n")],
  ["a folded header", get("Accept: a", " Transfer-Encoding: chunked")],
  ["a bare line feed in a header", get("Accept: a\nTransfer-Encoding: chunked")],
  ["a bare carriage return in a header", get("Accept: a\rTransfer-Encoding: chunked")],
];

describe("a link with a token's rights", () => {
  describe.each([
    ["at once", (exchange: Duplex, bytes: Buffer) => void exchange.write(bytes)],
    ["byte by byte", (exchange: Duplex, bytes: Buffer) => bytes.forEach((byte) => void exchange.write(Buffer.of(byte)))],
  ])("written %s", (_, write) => {
    test.each(SMUGGLED)("opens one request at most: %s", async (_, first) => {
      const exchange = await opened();
      write(exchange, Buffer.from(first + SECOND + SECOND));
      exchange.end();
      await text(exchange).catch(() => "");
      await Promise.all(closings);
      const requests = await Promise.all(seen);
      expect(requests.filter(({ request }) => request !== "GET /first" && request !== "POST /first")).toEqual([]);
      expect(requests.filter(({ authorization }) => authorization !== "Bearer own")).toEqual([]);
      expect(requests.length).toBeLessThanOrEqual(1);
    });
  });

  test.each([
    ["a length", withLength("5", "hello")],
    ["chunks", chunked("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n")],
  ])("passes a body with %s whole", async (_, request) => {
    const exchange = await opened();
    for (const byte of Buffer.from(request)) exchange.write(Buffer.of(byte));
    expect(await text(exchange)).toMatch(/^HTTP\/1\.1 200 .*answer/s);
    expect(await Promise.all(seen)).toEqual([{ request: "POST /first", authorization: "Bearer own", body: "hello" }]);
    exchange.end();
  });

  test("does not pass the request of a caller that left while the daemon started", async () => {
    let start = () => {};
    const starts = new Promise<void>((resolve) => (start = resolve));
    const left = new Promise<void>((resolve) => {
      const arrived = (exchange: Duplex) => exchange.once("close", resolve);
      const connected = (daemon: Socket) => {
        void caller.then((exchange) => exchange.destroy());
        daemon.once("close", () => ended());
      };
      const caller = opened({ starts, arrived, connected });
      void caller.then((exchange) => exchange.write(SECOND));
    });
    let ended = () => {};
    const closed = new Promise<void>((resolve) => (ended = resolve));
    await left;
    start();
    await closed;
    expect(seen).toEqual([]);
  });

  test("a terminal's WebSocket on a half-open link ends at both ends after the lease", async () => {
    server.on("upgrade", (_: IncomingMessage, socket: Socket) => {
      socket
        .on("error", () => undefined)
        .on("end", () => socket.end())
        .resume();
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    });
    const timer = virtualTimer();
    const wire = fakeWire({ timer });
    const port = (server.address() as AddressInfo).port;
    const serve = bridge({
      token: null,
      async connect() {
        const socket = connect(port, "127.0.0.1");
        await once(socket, "connect");
        return socket;
      },
    });
    const exchange = (await linked(wire, { timer, serve }).link).open();
    const ended = new Promise<Error>((resolve) => exchange.once("error", resolve));
    exchange.write(WEBSOCKET);
    await once(exchange, "data");
    wire.stall();
    exchange.write("typed into the void");
    await timer.pass(44_000);
    expect(exchange.destroyed).toBe(false);
    await timer.pass(10_000);
    expect((await ended).message).toBe("silent for 45 s");
    // The node's daemon is free of the viewer, whose size no longer counts.
    expect(closings).toHaveLength(1);
    await Promise.all(closings);
  });

  test("passes a WebSocket's bytes once it is open, those before included", async () => {
    server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
      expect(request.headers.authorization).toBe("Bearer own");
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
      socket.write(head);
      socket.pipe(socket);
    });
    const exchange = await opened();
    exchange.write(`${WEBSOCKET}early `);
    await once(exchange, "readable");
    exchange.end("late");
    expect(await text(exchange)).toMatch(/\r\n\r\nearly late$/);
  });
});
