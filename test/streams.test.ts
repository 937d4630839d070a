import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { openTerminal, type Terminal, type TerminalEvent } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { expect, test } from "vitest";
import { eventually, type Fixture, gone, sharedFixture } from "./fixture.js";

const SCALE = Number(process.env.TMPM_TEST_SCALE ?? "1");
const MB = 1024 * 1024;
/**
 * Permitted slowdown of a healthy viewer next to stalled ones; checked only on an idle machine. A viewer that depends on others would wait
 * indefinitely.
 */
const SLOWER = 4;

const shared = sharedFixture();

/** Prints the number of bytes that a line requests, and then the line's mark. */
const FLOOD = `stty -echo; while read mark bytes; do yes "$(printf %0999d 7)" | head -c "$bytes"; printf 'done%s' "$mark"; done`;

test("stalled viewers cost the daemon little memory, and delay neither a healthy one nor the program", async () => {
  const w = shared();
  const megabytes = 5 * SCALE;
  await w.json(["new", "--name", "loud", "--agent", "command", "--", "/bin/sh", "-c", FLOOD]);
  await w.json(["new", "--name", "quiet", "--agent", "command", "--", "/bin/cat"]);
  using loud = follow(w, "loud");
  using quiet = follow(w, "quiet");
  await Promise.all([loud.begun(), quiet.begun()]);

  const round = async (mark: string, bytes: number) => {
    const begun = performance.now();
    await loud.terminal.type(`${mark} ${bytes}\r`);
    const echoes: number[] = [];
    for (let index = 0; !loud.has(`done${mark}`); index++) echoes.push(await quiet.echo(`${mark}${index} `));
    return { ms: performance.now() - begun, echo: echoes.sort((a, b) => a - b)[Math.floor(echoes.length / 2)] ?? 0 };
  };
  await round("warm", MB);
  const alone = await round("alone", megabytes * MB);
  const daemon = await w.daemonPid();
  const before = await residentMb(daemon);
  const stalled = await Promise.all(Array.from({ length: 20 }, () => stalledViewer(w, "loud")));
  const growth = sampling(async () => (await residentMb(daemon)) - before);
  const crowded = await round("crowded", megabytes * MB);
  const grown = await growth();
  for (const socket of stalled) socket.destroy();

  process.stderr.write(
    `20 stalled viewers and ${megabytes} MB: the daemon grew by ${grown.toFixed(1)} MB; time of a healthy viewer ${(crowded.ms / alone.ms).toFixed(2)}x, its echo elsewhere ${(crowded.echo / alone.echo).toFixed(2)}x\n`,
  );
  expect(grown).toBeLessThan(32);
  if (SCALE >= 10) expect(crowded.ms / alone.ms).toBeLessThan(SLOWER);
}, 600_000);

test("a program continues while its viewers' daemon is killed, and they continue with a new screen", async () => {
  const w = shared();
  const script = "i=0; while sleep 0.05; do i=$((i+1)); printf '%s\\n' $i; done";
  await w.json(["new", "--name", "demo", "--agent", "command", "--", "/bin/sh", "-c", script]);
  using viewer = follow(w, "demo");
  await viewer.begun();
  const killed = await w.daemonPid();
  process.kill(killed, "SIGKILL");
  await gone(killed);
  const seen = lastNumber(viewer);
  await eventually(async () => {
    const shown = (await w.tmux("capture-pane", "-p", "-t", "=tmpm-demo:")).trim().split("\n").at(-1);
    return Number(shown) > seen + 10 ? true : null;
  });
  await w.json(["ls"]);
  await becomes(() => viewer.events.some((event) => event.kind === "screen" && event.reason === "unknown_stream"));
  await becomes(() => lastNumber(viewer) > seen + 10);
  await w.api.restart({ session: "demo" });
  await becomes(() => viewer.events.filter((event) => event.kind === "screen").length > 2);
  const captured = w.tmpm(["capture", "demo", "--follow"]);
  await eventually(async () => ((await w.api.stream({ session: "demo" })).watchers === 2 ? true : null));
  const shown = lastNumber(viewer);
  await becomes(() => lastNumber(viewer) > shown + 3);
  await w.api.stop({ session: "demo" });
  await viewer.done;
  expect(await captured).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/(?:^\d+\n)+/m) });
  expect(viewer.events.at(-1)).toMatchObject({ kind: "end" });
  const refused = openTerminal(localTransport({ socket: socketOf(w) }), { session: "demo" });
  await expect(refused[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "INVALID_STATE" });
}, 300_000);

function becomes(condition: () => boolean): Promise<true> {
  return eventually(async () => (condition() ? true : null));
}

function socketOf(w: Fixture): string {
  return join(w.home, "run", "tmpm.sock");
}

function follow(w: Fixture, session: string) {
  const terminal: Terminal = openTerminal(localTransport({ socket: socketOf(w) }), { session });
  const events: TerminalEvent[] = [];
  // Only the end of the output matters.
  let tail = "";
  // A viewer that fell behind gets a screen instead, in which a long line takes several rows.
  let screen = "";
  const has = (text: string) => tail.includes(text) || screen.includes(text);
  let heard: () => void = () => undefined;
  const done = (async () => {
    for await (const event of terminal) {
      if (event.kind === "output") tail = (tail + Buffer.from(event.bytes).toString("latin1")).slice(-4096);
      if (event.kind === "screen") screen = event.screen.lines.join("");
      if (events.length < 5_000) events.push(event);
      heard();
    }
  })();
  return {
    terminal,
    events,
    done,
    text: () => tail,
    has,
    begun: () => eventually(async () => events[0] ?? null),
    /** Milliseconds until typed text is displayed. */
    async echo(text: string): Promise<number> {
      const begun = performance.now();
      const shown = new Promise<void>((resolve) => {
        heard = () => has(text) && resolve();
      });
      await terminal.type(text);
      await shown;
      return performance.now() - begun;
    },
    [Symbol.dispose]: () => terminal.close(),
  };
}

function lastNumber({ text }: ReturnType<typeof follow>): number {
  return Number(/(\d+)\r\n[^\n]*$/.exec(text())?.[1] ?? "0");
}

/** Requests a stream, and then reads nothing. */
async function stalledViewer(w: Fixture, session: string): Promise<Socket> {
  const socket = connect(socketOf(w));
  socket.write(
    `GET /v1/sessions/${session}/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  );
  const head = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString("latin1"))));
  expect(head).toMatch(/^HTTP\/1\.1 101 /);
  socket.pause();
  socket.on("error", () => undefined);
  return socket;
}

/** The largest value observed until the result is requested. */
function sampling(sample: () => Promise<number>): () => Promise<number> {
  let most = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => void sample().then((value) => (most = Math.max(most, value))), 100);
  return async () => {
    clearInterval(timer);
    return Math.max(most, await sample());
  };
}

async function residentMb(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
