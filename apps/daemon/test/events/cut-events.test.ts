import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, createServer as createProxy, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CONTRACTS } from "@tmpm/api";
import { client, followEvents } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { eventJournal } from "@tmpm/store";
import { expect, onTestFinished, test } from "vitest";
import { events } from "../../src/events/events.js";

const SCALE = Number(process.env.TMPM_TEST_SCALE ?? "1");
const EVENTS = 1_000 * SCALE;
const CUTS = 50 * SCALE;
const RESTARTS = Math.max(2, Math.floor(SCALE / 2));
const SESSION = "550e8400-e29b-41d4-a716-446655440000";

test("a follower gets every event once and in order, across broken connections and daemon restarts", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-cut-"));
  chmodSync(folder, 0o700);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const proxy = await cuttingProxy({ from: join(folder, "cut.sock"), to: join(folder, "d.sock") });
  const begun = performance.now();
  const followed: number[] = [];
  const done = new AbortController();
  const following = (async () => {
    const through = client({ transport: localTransport({ socket: join(folder, "cut.sock") }) });
    for await (const each of followEvents(through, { limit: 20 }, { attempts: 10_000, sleep: () => sleep(1), signal: done.signal })) {
      expect(each.kind).toBe("event");
      if (each.kind === "event") followed.push(each.event.seq);
    }
  })();

  for (let restart = 0; restart <= RESTARTS; restart++) {
    const daemon = await openDaemon(folder);
    const until = Math.floor((EVENTS * (restart + 1)) / (RESTARTS + 1));
    for (let made = Math.floor((EVENTS * restart) / (RESTARTS + 1)); made < until; made += 10) {
      await Promise.all(Array.from({ length: Math.min(10, until - made) }, daemon.happen));
    }
    // The last connection lives until everything has arrived; the others break before.
    while (restart === RESTARTS && followed.length < EVENTS) await Promise.race([sleep(5), following]);
    await daemon.stop();
  }
  done.abort();
  await expect(following).rejects.toBe(done.signal.reason);
  process.stderr.write(
    `${EVENTS} events, ${proxy.cuts()} cut connections, ${RESTARTS} restarts: ${Math.round(performance.now() - begun)} ms\n`,
  );
  expect(followed).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1));
  expect(proxy.cuts()).toBeGreaterThanOrEqual(CUTS);
}, 300_000);

/** The events of a data folder on a unix socket, as the daemon serves them. */
async function openDaemon(folder: string) {
  const journal = eventJournal({ dir: join(folder, "events") });
  const source = events({ journal, sessionId: async (id) => id, projectId: async (id) => id });
  const ending = new AbortController();
  const server: Server = createServer((request, response) => void answer(request, response));

  async function answer({ url = "" }: IncomingMessage, response: ServerResponse): Promise<void> {
    const query = Object.fromEntries(new URL(url, "http://localhost").searchParams);
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const page = await source.page(CONTRACTS.events.query.parse(query), { signal: AbortSignal.any([gone.signal, ending.signal]) });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(page));
  }

  await new Promise<void>((resolve) => server.listen(join(folder, "d.sock"), resolve));
  return {
    happen: () =>
      journal.append({ type: "session_text_sent", at: "2026-01-01T00:00:00Z", session_id: SESSION, outcome: "submitted", bytes: 1 }),
    async stop() {
      ending.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await journal.close();
    },
  };
}

/** Forwards all traffic, and closes the connection after a number of response bytes that differs each time. */
async function cuttingProxy({ from, to }: { readonly from: string; readonly to: string }) {
  let cuts = 0;
  let connections = 0;
  const open = new Set<Socket>();
  const proxy = createProxy((near) => {
    let left = (++connections * 7_919) % 5_000;
    const far = connect(to);
    const end = () => {
      near.destroy();
      far.destroy();
    };
    far.on("data", (data) => {
      near.write(data.subarray(0, left));
      left -= data.length;
      if (left > 0) return;
      cuts += 1;
      end();
    });
    near.on("data", (data) => far.write(data));
    for (const side of [near, far]) {
      open.add(side);
      side.on("error", end).on("close", () => open.delete(side) && end());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(from, resolve));
  onTestFinished(() => {
    for (const side of open) side.destroy();
    proxy.close();
  });
  return { cuts: () => cuts };
}
