import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isServerAbsent, unresponsive } from "../src/failure.js";
import { heedingAbsence } from "../src/one-shot/absent-socket.js";
import type { Channel, Reply, Request } from "../src/transport/channel.js";

const READ: Request = { kind: "read", commands: [["list-panes"]] };
const MUTATE: Request = { kind: "mutate", commands: [["new-session"]] };
const REFUSED: Reply = { kind: "refused", refusal: { kind: "socket_missing", message: "error connecting" }, output: "\n" };
const UNANSWERED: Reply = { kind: "unanswered", error: unresponsive("no program", "none") };

/** A channel to a missing socket, and the requests to its program. */
async function fixture(reply: () => Reply) {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-absent-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const socket = join(folder, "s");
  const asked: Request[] = [];
  const program: Channel = {
    async ask(request) {
      asked.push(request);
      return reply();
    },
  };
  return { socket, asked, channel: heedingAbsence(program, socket) };
}

test("runs the program once to confirm a missing socket, and again once the socket exists", async () => {
  const { channel, asked, socket } = await fixture(() => REFUSED);
  const replies = [await channel.ask(READ), await channel.ask(READ)];
  expect(replies.map((reply) => reply.kind === "refused" && isServerAbsent(reply.refusal))).toEqual([true, true]);
  expect(asked).toEqual([READ]);
  await writeFile(socket, "");
  await channel.ask(READ);
  expect(asked).toEqual([READ, READ]);
});

test("always runs the program for calls that may start a server", async () => {
  const { channel, asked } = await fixture(() => REFUSED);
  await channel.ask(READ);
  await channel.ask(MUTATE);
  expect(asked).toEqual([READ, MUTATE]);
});

test("runs the program again after one without an answer, to check that it exists", async () => {
  const { channel, asked } = await fixture(() => UNANSWERED);
  expect(await channel.ask(READ)).toEqual(UNANSWERED);
  expect(await channel.ask(READ)).toEqual(UNANSWERED);
  expect(asked).toEqual([READ, READ]);
});
