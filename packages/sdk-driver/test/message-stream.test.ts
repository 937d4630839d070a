import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
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
