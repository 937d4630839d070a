import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { terminalKeys } from "@tmpm/supervisor";
import { tmuxDriver } from "@tmpm/tmux-driver";
import { expect, onTestFinished, test } from "vitest";
import { collect, eventually, SESSION, streamFixture, terminalOf } from "./stream-fixture.js";

const run = promisify(execFile);
const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "1" } = process.env;
const SCALE = Number(TMPM_TEST_SCALE);

/** A program in a real terminal that is in raw mode, watched over a unix socket. */
async function fixture(script: string) {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-rt-"));
  const socket = join(folder, "s");
  const driver = tmuxDriver({ socket: { path: socket }, stateDir: join(folder, "state"), env: process.env });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") console.error(await evidence(socket));
    await driver.close();
    await run("tmux", ["-S", socket, "kill-server"]).catch((error: unknown) => {
      // The server has ended with its last session.
      if (!String(error).includes("no server")) throw error;
    });
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const argv = ["/bin/sh", "-c", `stty raw -echo; printf ready; ${script}`] as const;
  const pane = await driver.create({
    sessionId: SESSION,
    tmuxName: "tmpm-demo",
    cwd: folder,
    argv,
    env: { FOLDER: folder },
    columns: 80,
    rows: 24,
  });
  await eventually(async () => (await driver.capture(pane.identity)).lines[0] === "ready");
  const terminal = {
    ...terminalOf(driver, pane.identity),
    async type(input: Parameters<ReturnType<typeof terminalOf>["type"]>[0]) {
      const steps = "text" in input ? terminalKeys(input.text) : [];
      for (const step of steps)
        await (step.kind === "keys" ? driver.keys(pane.identity, step.keys) : driver.paste(pane.identity, step.text));
    },
  };
  const l = await streamFixture({ terminal: async () => terminal, ringBytes: 8 * 1024 * 1024 });
  return { ...l, folder, terminal };
}

/** The state of the program, or how it ended, and the end of its screen. */
async function evidence(socket: string): Promise<string> {
  const format = "#{pane_id} dead=#{pane_dead} status=#{pane_dead_status} signal=#{pane_dead_signal} running=#{pane_current_command}";
  const asked = ["list-panes", "-a", "-F", format, ";", "capture-pane", "-p", "-t", "=tmpm-demo:", "-S", "-5"];
  return run("tmux", ["-u", "-S", socket, ...asked]).then(
    ({ stdout }) => stdout.trimEnd(),
    (error: unknown) => `no pane: ${error}`,
  );
}

test("a viewer with random disconnections gets exactly the bytes that the program printed", async () => {
  const chunks = 30 * SCALE;
  const size = 20_000;
  const random = randomly(Number(TMPM_TEST_SEED));
  const { folder, follow, cut } = await fixture(
    `i=0; while c=$(head -c 1); s=$?; [ "$c" = k ]; do tail -c +$((i*${size}+1)) "$FOLDER/bytes" | head -c ${size}; i=$((i+1)); done
     printf '\\033c%s chunks; head ended with %s and took: ' $i $s; printf %s "$c" | od -An -tx1; exit 9`,
  );
  const bytes = wildBytes(chunks * size, random);
  writeFileSync(join(folder, "bytes"), bytes);
  const followed = follow();
  const seen = collect(followed);
  await eventually(() => seen.events[0]);
  let cuts = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    await followed.type("k");
    if (random() < 0.7) {
      await new Promise((resolve) => setTimeout(resolve, random() * 20));
      cut();
      cuts += 1;
    }
  }
  const got = () => seen.events.flatMap((event) => (event.kind === "output" ? [event.bytes] : []));
  await eventually(() => got().reduce((sum, { length }) => sum + length, 0) >= bytes.length, 60_000);
  expect(seen.kinds().filter((kind) => kind !== "output")).toEqual(["screen first"]);
  expect(createHash("sha256").update(Buffer.concat(got())).digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect(cuts).toBeGreaterThan(chunks / 3);
}, 120_000);

test("input of a terminal emulator arrives byte for byte", async () => {
  const { folder, follow } = await fixture('cat > "$FOLDER/got"');
  const got = () => (existsSync(join(folder, "got")) ? readFileSync(join(folder, "got")) : Buffer.alloc(0));
  const followed = follow();
  collect(followed);
  const ascii = String.fromCharCode(...Array.from({ length: 127 }, (_, index) => index + 1));
  const text = `\u0000${ascii}\u001b[A\u001bOP\u001b[200~a;b\u001b[201~ é漢😀 e\u0301 'x' "y" #{pid} $HOME \\; ;`;
  await followed.type(text);
  const expected = Buffer.from(text);
  await eventually(() => got().length >= expected.length);
  expect(got().toString("latin1")).toBe(expected.toString("latin1"));
});

test("a new size reaches the program, and the viewer gets the new screen", async () => {
  const { follow, terminal } = await fixture("trap 'stty size' WINCH; while :; do sleep 0.05; done");
  const [one, two] = [follow(), follow()];
  collect(one);
  const seen = collect(two);
  await eventually(() => seen.events[0]);
  await one.resize({ columns: 100, rows: 30 });
  // Output printed before the capture of the new screen is shown only by that screen.
  const shown = () => seen.events.flatMap((event) => (event.kind === "screen" ? event.screen.lines : []));
  await eventually(() => [seen.text(), ...shown()].some((text) => text.includes("30 100")));
  await eventually(() => seen.kinds().includes("screen resized"));
  await one.release();
  expect(await terminal.size()).toMatchObject({ columns: 100, rows: 30, viewers: 0 });
});

/** Text, escape sequences, multi-byte characters, and invalid bytes. */
function wildBytes(length: number, random: () => number): Buffer {
  const pieces = ["plain text ", "\u001b[31mred\u001b[0m", "漢字😀", "\r\n", "\u001b[2K", "é", "\u001b]2;title\u0007", "0123456789"].map(
    (text) => Buffer.from(text),
  );
  pieces.push(Buffer.from([0xff, 0xc3, 0x80, 0x9b]));
  const made: Buffer[] = [];
  for (let size = 0; size < length; ) {
    const piece = pieces[Math.floor(random() * pieces.length)] ?? Buffer.from(" ");
    made.push(piece);
    size += piece.length;
  }
  return Buffer.concat(made).subarray(0, length);
}

/** Numbers from 0 to 1, reproducible by the seed. */
function randomly(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
