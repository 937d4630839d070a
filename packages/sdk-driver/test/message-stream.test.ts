import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { expect, test, vi } from "vitest";
import { messageStream } from "../src/agent/message-stream.js";

test("output of an agent after its reader has stopped is read and discarded, and its end causes no error", async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const noise: string[] = [];
  const { readable } = messageStream({
    stdin,
    stdout,
    noise: (line) => noise.push(line),
    received: () => undefined,
    sent: () => undefined,
  });
  const reader = readable.getReader();
  stdout.write('{"jsonrpc":"2.0","id":0}\n');
  expect((await reader.read()).value).toEqual({ jsonrpc: "2.0", id: 0 });
  await reader.cancel();
  stdout.write('{"jsonrpc":"2.0","id":1}\n'.repeat(10_000));
  stdout.end("bye\n");
  await once(stdout, "end");
  expect(noise).toEqual(["bye"]);
});

test("a process has messages to read until the last of them was accepted", async () => {
  const accept: (() => void)[] = [];
  const stdin = new Writable({ write: (_chunk, _encoding, done) => void accept.push(done) });
  const nothing = () => undefined;
  const { writable, idle } = messageStream({ stdin, stdout: new PassThrough(), noise: nothing, received: nothing, sent: nothing });
  const writer = writable.getWriter();
  for (const id of [1, 2, 3]) void writer.write({ jsonrpc: "2.0", id, result: null });
  let isIdle = false;
  const over = idle().then(() => {
    isIdle = true;
  });
  for (const count of [1, 2, 3]) {
    await vi.waitUntil(() => accept.length === count);
    expect(isIdle).toBe(false);
    accept[count - 1]?.();
  }
  await over;
});
