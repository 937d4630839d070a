import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { sendStream } from "../../src/server/send-stream.js";

/** A server with one route that streams `frames`, and a reader that has received the headers and not read anything yet. */
async function streaming(frames: AsyncIterable<string>, { stallMs = 60_000, signal = new AbortController().signal } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-stream-"));
  const path = join(folder, "s");
  const app = fastify();
  app.get("/", async (_request, reply) => {
    reply.header("tmpm-version", "1.2.3");
    return sendStream(reply, frames, { signal, stallMs });
  });
  await app.listen({ path });
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  const reader = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath: path, path: "/" }, resolve).on("error", reject).end();
  });
  reader.on("error", () => undefined);
  return reader;
}

test("the response is an event stream with the daemon's version, and ends with its frames", async () => {
  const reader = await streaming(
    (async function* () {
      yield "data: 1\n\n";
      yield "data: 2\n\n";
    })(),
  );
  expect(reader.headers).toMatchObject({ "content-type": expect.stringMatching(/^text\/event-stream/), "tmpm-version": "1.2.3" });
  const parts: string[] = [];
  for await (const part of reader) parts.push(String(part));
  expect(parts.join("")).toBe("data: 1\n\ndata: 2\n\n");
});

test("a stalled reader gets no more frames than fit in flight, and is cut off", async () => {
  let asked = 0;
  let ended = false;
  const frame = `data: ${"x".repeat(64 * 1024)}\n\n`;
  const reader = await streaming(
    (async function* () {
      try {
        for (; asked < 10_000; asked++) yield frame;
      } finally {
        ended = true;
      }
    })(),
    { stallMs: 50 },
  );
  await expect.poll(() => ended).toBe(true);
  expect(asked).toBeLessThan(100);
  const gone = new Promise((resolve) => reader.once("close", resolve));
  reader.resume();
  await gone;
  expect(reader.complete).toBe(false);
});

test("a stalled reader is disconnected at once when the daemon stops", async () => {
  const stopping = new AbortController();
  let ended = false;
  await streaming(
    (async function* () {
      try {
        for (;;) yield `data: ${"x".repeat(256 * 1024)}\n\n`;
      } finally {
        ended = true;
      }
    })(),
    { signal: stopping.signal },
  );
  stopping.abort();
  await expect.poll(() => ended).toBe(true);
});
