import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { afterEach, expect, test } from "vitest";
import { controlChannel } from "../src/control/channel.js";
import type { LinkEvent } from "../src/control/link.js";
import { unresponsive } from "../src/failure.js";
import type { Reply, Request } from "../src/transport/channel.js";

const folder = mkdtempSync(join(tmpdir(), "tmpm-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ANSWERED: Reply = { kind: "answered", output: "" };
const SILENT: Reply = { kind: "unanswered", error: unresponsive("silent", "none") };

/** A channel over a connection with given answers, and the traffic on each path. */
function channelOver({ answer, within = folder }: { readonly answer: (request: Request) => Reply; readonly within?: string }) {
  const sent: Request[] = [];
  const spawned: Request[] = [];
  const listeners: ((event: LinkEvent) => void)[] = [];
  const channel = controlChannel({
    link: {
      isUp: () => true,
      serverRuns: () => undefined,
      settled: () => Promise.resolve(),
      attempted: () => Promise.resolve(),
      async ask(request) {
        sent.push(request);
        return answer(request);
      },
      onEvent: (listener) => void listeners.push(listener),
      close: async () => undefined,
    },
    oneShot: {
      async ask(request) {
        spawned.push(request);
        return ANSWERED;
      },
    },
    monotonic: () => 0,
    patienceMs: 60_000,
    nonce: () => "word",
    folder: within,
  });
  return { channel, sent, spawned, emit: (event: LinkEvent) => listeners.forEach((listener) => void listener(event)) };
}

const paste = (input: string): Request => ({ kind: "mutate", commands: [["load-buffer", "-b", "b", "-"], ["other"]], input });

test("sends short text in the command over the connection, without a process", async () => {
  const { channel, sent, spawned } = channelOver({ answer: () => ANSWERED });
  expect(await channel.ask(paste("-R 'é';\n"))).toBe(ANSWERED);
  expect(sent).toEqual([{ kind: "mutate", commands: [["set-buffer", "-b", "b", "--", "-R 'é';\n"], ["other"]] }]);
  expect(spawned).toEqual([]);
});

test("sends long text through a private file that is then removed", async () => {
  const text = "x".repeat(100_000);
  const path = join(folder, "text-word");
  const { channel, sent } = channelOver({
    answer() {
      expect(readFileSync(path, "utf8")).toBe(text);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      return SILENT;
    },
  });
  await channel.ask(paste(text));
  expect(sent.map(({ commands }) => commands[0])).toEqual([["load-buffer", "-b", "b", "--", path]]);
  expect(readdirSync(folder)).toEqual([]);
});

test("pipes text to a process when the file cannot be written or named", async () => {
  const request = paste("x".repeat(100_000));
  const open = join(folder, "open");
  mkdirSync(open, { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, "file"), "");
  for (const within of [join(folder, "a#{pid}"), open, join(folder, "file", "x")]) {
    const { channel, sent, spawned } = channelOver({ answer: () => ANSWERED, within });
    await channel.ask(request);
    expect({ sent, spawned }).toEqual({ sent: [], spawned: [request] });
  }
});

test("sends nothing after three timeouts, until a late answer arrives", async () => {
  const { channel, sent, emit } = channelOver({ answer: () => SILENT });
  const ask = () => channel.ask({ kind: "read", commands: [["x"]] });
  for (let count = 0; count < 5; count++) await ask();
  expect(sent.length).toBe(3);
  emit({ type: "late" });
  await ask();
  expect(sent.length).toBe(4);
});

test("only silence counts as a timeout", async () => {
  const unclear: Reply = { kind: "unanswered", error: new TmpmError("TMUX_FAILED", "tmux: unknown command") };
  const { channel, sent } = channelOver({ answer: () => unclear });
  for (let count = 0; count < 5; count++) expect(await channel.ask({ kind: "read", commands: [["x"]] })).toBe(unclear);
  expect(sent.length).toBe(5);
});

/** A channel whose connection is up once an attempt to connect is over. */
function startingChannel(first: Promise<Reply>, { stuck = false } = {}) {
  const paths: string[] = [];
  let up = false;
  const channel = controlChannel({
    link: {
      isUp: () => up,
      serverRuns: () => undefined,
      settled: () => Promise.resolve(),
      attempted: async () => {
        if (stuck) await new Promise(() => undefined);
        up = true;
      },
      async ask() {
        paths.push("connection");
        return ANSWERED;
      },
      onEvent: () => undefined,
      close: async () => undefined,
    },
    oneShot: {
      async ask() {
        paths.push("process");
        return first;
      },
    },
    monotonic: () => 0,
    patienceMs: 1,
    nonce: () => "word",
    folder,
  });
  return { channel, paths };
}

const read: Request = { kind: "read", commands: [["list-panes"]] };

test("starts one process for the reads of a start, and sends the others over the connection that follows", async () => {
  const { channel, paths } = startingChannel(Promise.resolve(ANSWERED));
  expect(await Promise.all([read, read, read].map((request) => channel.ask(request)))).toEqual([ANSWERED, ANSWERED, ANSWERED]);
  expect(paths).toEqual(["process", "connection", "connection"]);
});

test("queries a server that does not answer at the start only once, and delays no change", async () => {
  let silent: (reply: Reply) => void = () => undefined;
  const { channel, paths } = startingChannel(new Promise((resolve) => (silent = resolve)));
  const reads = [read, read].map((request) => channel.ask(request));
  const change = channel.ask({ kind: "mutate", commands: [["kill-session"]] });
  silent(SILENT);
  expect(await Promise.all([...reads, change])).toEqual([SILENT, SILENT, SILENT]);
  expect(paths).toEqual(["process", "process"]);
});

test("reads of a start use processes when the connection takes too long", async () => {
  const { channel, paths } = startingChannel(Promise.resolve(ANSWERED), { stuck: true });
  expect(await Promise.all([read, read].map((request) => channel.ask(request)))).toEqual([ANSWERED, ANSWERED]);
  expect(paths).toEqual(["process", "process"]);
});
