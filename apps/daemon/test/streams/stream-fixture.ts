import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Terminal as Followed, type OpenTerminalOptions, openTerminal, type TerminalEvent } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { ERRORS, isTmpmError, type PaneIdentity, TmpmError, toErrorBody } from "@tmpm/core";
import type { Terminal } from "@tmpm/supervisor";
import type { TmuxDriver } from "@tmpm/tmux-driver";
import { onTestFinished } from "vitest";
import { type TerminalStreamsOptions, terminalStreams } from "../../src/streams/terminal-streams.js";
import { upgrade } from "../../src/streams/upgrade.js";

export const SESSION = "3b241101-e2bb-4255-8caf-4136c566a962";

/** The supervisor's interface to a session, without a real session. */
export function terminalOf(driver: TmuxDriver, pane: PaneIdentity): Terminal {
  return {
    id: SESSION,
    name: "demo",
    pane,
    kept: { kind: "nowhere", why: "tmux keeps lines" },
    output: (listener) => driver.output(pane, listener),
    async type(input) {
      if ("keys" in input) await driver.keys(pane, input.keys);
      else await driver.paste(pane, "paste" in input ? input.paste : input.text);
    },
    resize: (size) => driver.resize(pane, size),
    async size() {
      const found = await driver.find(pane);
      return found.kind === "present" ? found.value : null;
    },
    fate: async () => "ended",
  };
}

export interface StreamFixture {
  readonly socket: string;
  readonly folder: string;
  readonly faults: unknown[];
  /** Sets a viewer's rights. */
  allow(writes: boolean): void;
  /** Ends the daemon, and starts another one at the same place; meanwhile, there is none. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** Ends all connections, as a network failure does. */
  cut(): void;
  counts(): { readonly streams: number; readonly watchers: number };
  latestSeqs(): ReadonlyMap<string, number>;
  follow(options?: Partial<OpenTerminalOptions>): Followed;
}

/** A daemon's streams on a unix socket. */
export async function streamFixture(
  options: Pick<TerminalStreamsOptions, "terminal"> & Partial<TerminalStreamsOptions> & { readonly aliveMs?: number },
): Promise<StreamFixture> {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-st-"));
  chmodSync(folder, 0o700);
  mkdirSync(join(folder, "w"));
  const socket = join(folder, "d.sock");
  const faults: unknown[] = [];
  const connections = new Set<Socket>();
  let writes = true;
  let running = await start();

  async function start() {
    const stopping = new AbortController();
    const report = (fault: unknown) => void faults.push(fault);
    const streams = terminalStreams({ newId: randomUUID, report, ...options });
    const refusal = () => (writes ? null : new TmpmError("SCOPE_REFUSED", "this only watches"));
    const admit = async () => ({ refusal });
    const server: Server = createServer((_, response) => response.writeHead(404).end());
    const refuse = (socket: { end(text: string): void }, error: unknown) => socket.end(refusalText(error));
    server.on(
      "upgrade",
      upgrade({
        streams,
        newId: randomUUID,
        admit,
        refuse,
        stopping: stopping.signal,
        report,
        ...(options.aliveMs === undefined ? {} : { aliveMs: options.aliveMs }),
      }),
    );
    server.on("connection", (connection) => {
      connections.add(connection);
      connection.on("close", () => connections.delete(connection));
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    return {
      streams,
      async stop() {
        stopping.abort();
        await streams.close();
        const closed = new Promise((resolve) => server.close(resolve));
        for (const connection of connections) connection.destroySoon();
        await closed;
      },
    };
  }

  onTestFinished(async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    socket,
    folder,
    faults,
    allow(now) {
      writes = now;
    },
    async restart(meanwhile) {
      await running.stop();
      await meanwhile?.();
      running = await start();
    },
    cut() {
      for (const connection of connections) connection.destroy();
    },
    counts: () => running.streams.counts(),
    latestSeqs: () => running.streams.latestSeqs(),
    follow(more = {}) {
      const followed = openTerminal(localTransport({ socket }), { session: "demo", ...more });
      onTestFinished(() => followed.close());
      return followed;
    },
  };
}

function refusalText(error: unknown): string {
  const reported = isTmpmError(error) ? error : new TmpmError("INTERNAL", "a fault");
  const body = JSON.stringify({ error: toErrorBody(reported) });
  return `HTTP/1.1 ${ERRORS[reported.code].http} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
}

/** All events of a terminal, collected in the background. */
export function collect(followed: Followed) {
  const events: TerminalEvent[] = [];
  const done = (async () => {
    for await (const event of followed) events.push(event);
  })();
  done.catch(() => undefined);
  return {
    events,
    done,
    text: () => Buffer.concat(events.flatMap((event) => (event.kind === "output" ? [event.bytes] : []))).toString(),
    kinds: () => events.map((event) => (event.kind === "screen" ? `screen ${event.reason ?? "first"}` : event.kind)),
  };
}

/** Polls until the probe returns neither null nor false. */
export async function eventually<T>(probe: () => T | Promise<T>, ms = 100_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + ms;
  for (;;) {
    const value = await probe();
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms for ${probe}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
