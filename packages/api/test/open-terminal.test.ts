import { expect, onTestFinished, test } from "vitest";
import { type OpenTerminalOptions, openTerminal, type StreamListener, type StreamTransport, type TerminalEvent } from "../src/client.js";

const SCREEN = { seq: 0, columns: 80, rows: 24, cursor: { column: 0, row: 0, visible: true }, title: "", lines: [], paint: "" };

interface Held {
  readonly holder: string | null;
  readonly columns: number;
  readonly rows: number;
}

/** A daemon that acknowledges every command; the test speaks for it and ends its connections. */
function fixture(options: Partial<OpenTerminalOptions> = {}) {
  const connections: { readonly path: string; readonly listener: StreamListener; readonly sent: { readonly type: string }[] }[] = [];
  const changes: string[] = [];
  const transport: StreamTransport = {
    async connect({ path }, listener) {
      const sent: { readonly type: string }[] = [];
      connections.push({ path, listener, sent });
      return {
        send(text) {
          const command = JSON.parse(text);
          sent.push(command);
          queueMicrotask(() => listener.message(JSON.stringify({ type: "ack", id: command.id, outcome: "done", error: null })));
        },
        close: () => undefined,
      };
    },
  };
  const onConnection = (now: string) => void changes.push(now);
  const terminal = openTerminal(transport, { session: "demo", onConnection, sleep: async () => undefined, ...options });
  onTestFinished(() => terminal.close());
  const events: TerminalEvent[] = [];
  void (async () => {
    for await (const event of terminal) events.push(event);
  })();
  return {
    ...{ terminal, events, changes, connections },
    /** The connection with this number, from 1, begins. */
    async hello(number: number, size: Held, alive_ms = 60_000) {
      await expect.poll(() => connections.length).toBe(number);
      const say = (message: object) => connections.at(-1)?.listener.message(JSON.stringify(message));
      const at = { stream: "s", commands: "c", alive_ms, lease_ms: 60_000 };
      say({ type: "hello", viewer: `viewer-${number}`, ...at, size });
      if (number === 1) say({ type: "screen", ...SCREEN });
    },
    cut: () => connections.at(-1)?.listener.closed(),
  };
}

const FREE: Held = { holder: null, columns: 80, rows: 24 };
const sizes = (events: readonly TerminalEvent[]) => events.filter(({ kind }) => kind === "size");

test("a reconnected viewer is notified of the terminal's size, and does not take the size from another", async () => {
  const { terminal, events, connections, hello, cut } = fixture();
  await hello(1, FREE);
  await terminal.resize({ columns: 100, rows: 30 });
  cut();
  await hello(2, { holder: "another", columns: 60, rows: 20 });
  await expect.poll(() => sizes(events)).toEqual([{ kind: "size", columns: 60, rows: 20, mine: false }]);
  await terminal.type("x");
  expect(connections[1]?.sent.map(({ type }) => type)).toEqual(["input"]);
});

test("its own size is renewed, also while that is still in the name of its last connection", async () => {
  const { terminal, events, connections, hello, cut } = fixture();
  await hello(1, FREE);
  await terminal.resize({ columns: 100, rows: 30 });
  cut();
  await hello(2, { holder: "viewer-1", columns: 100, rows: 30 });
  await expect.poll(() => connections[1]?.sent).toMatchObject([{ type: "size", columns: 100, rows: 30 }]);
  expect(sizes(events)).toEqual([]);
});

test("each connection and each loss of one is reported", async () => {
  const { changes, hello, cut } = fixture();
  await hello(1, FREE);
  await expect.poll(() => changes).toEqual(["connected"]);
  cut();
  await hello(2, FREE);
  await expect.poll(() => changes).toEqual(["connected", "cut", "connected"]);
});

test("a long text is typed in pieces", async () => {
  const { terminal, connections, hello } = fixture();
  await hello(1, FREE);
  await terminal.type("x".repeat(100_000));
  expect(connections[0]?.sent.map((command) => "text" in command && String(command.text).length)).toEqual([65_536, 34_464]);
});

test("a connection that may be half open is replaced, and one with data since is kept", async () => {
  const { terminal, changes, connections, hello } = fixture();
  const before = Date.now();
  await hello(1, FREE);
  await expect.poll(() => changes).toEqual(["connected"]);
  terminal.reconnectIfSilent(before);
  expect(changes).toEqual(["connected"]);
  terminal.reconnectIfSilent(Date.now() + 1);
  await hello(2, FREE);
  await expect.poll(() => changes).toEqual(["connected", "cut", "connected"]);
  expect(connections).toHaveLength(2);
  // The end of the dead one is reported late.
  connections[0]?.listener.closed();
  await terminal.type("x");
  expect(connections[1]?.sent.map(({ type }) => type)).toContain("input");
});

test("a connection that is silent for longer than the announced interval is replaced, and an interval can be requested", async () => {
  const { changes, connections, hello } = fixture({ aliveMs: 1_500 });
  await hello(1, FREE, 20);
  await hello(2, FREE);
  expect(changes).toEqual(["connected", "cut", "connected"]);
  expect(connections.map(({ path }) => new URL(path, "http://localhost").searchParams.get("alive_ms"))).toEqual(["1500", "1500"]);
});
