import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionList } from "@tmpm/api";
import { openTerminal, type TerminalEvent } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { expect, test } from "vitest";
import { eventually, type Fixture, fixture, gone } from "./fixture.js";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = "0" } = process.env;
const FULL = Number(TMPM_TEST_SCALE) >= 10;
const KILLS = FULL ? 50 : 2;
/** Maximum number of lines between two kills. */
const APART = FULL ? 400 : 150;
const NAMES = FULL ? ["one", "two", "three"] : ["one", "two"];
const PATIENT_MS = 90_000;
/** Number of lines that count; a holder keeps about as many as are printed in a minute. */
const COUNTS =
  'let n=0;setInterval(()=>{let lines="";for(let i=0;i<10;i++)lines+=`${++n} ${".".repeat(80)}\\n`;process.stdout.write(lines)},50)';

/** Reproducible by the seed: numbers from 0 to below `below`. */
function chances(): (below: number) => number {
  let state = Number(TMPM_TEST_SEED) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test(
  `${KILLS} kills of the daemon under PTY output lose no byte, end no session, and leave nothing (seed ${TMPM_TEST_SEED})`,
  async () => {
    await using w = await fixture();
    const chance = chances();
    const first = await w.tmpm(["new", "--host", "pty", "--name", "one", "--agent", "command", "--", process.execPath, "-e", COUNTS]);
    if (first.code !== 0) {
      console.log(`skipped the kills under the output of PTYs: ${first.stderr}`);
      expect(first).toMatchObject({ code: 6, stderr: expect.stringContaining("is not available") });
      return;
    }
    for (const name of NAMES.slice(1))
      await w.api.create({ name, cwd: w.dir, control: "Pty", agent: "command", argv: [process.execPath, "-e", COUNTS] });
    const before = await sessionsOf(w);
    const viewers = NAMES.map((name) => follow(w, name));
    try {
      for (const viewer of viewers) await goesOn(viewer, 1);
      for (let kill = 0; kill < KILLS; kill++) {
        const pid = await w.daemonPid();
        await goesOn(viewers[chance(NAMES.length)], chance(APART));
        process.kill(pid, "SIGKILL");
        await gone(pid);
        expect(await sessionsOf(w)).toEqual(before);
      }
      for (const viewer of viewers) await goesOn(viewer, 100);
    } finally {
      for (const viewer of viewers) viewer.close();
      for (const session of NAMES) await w.api.stop({ session });
    }
    process.stderr.write(`${KILLS} kills under output: ${viewers.map(({ seen }) => `${seen().lines} lines`).join(", ")}, none missing\n`);
    for (const viewer of viewers) expect(viewer.seen()).toMatchObject({ faults: [] });
    expect((await w.api.list()).sessions.map(({ state }) => state)).toEqual(NAMES.map(() => "stopped"));
    await eventually(async () => ((await readdir(join(w.home, "run", "pty"))).length === 0 ? true : null), PATIENT_MS);
    await w.stopDaemon();
    await eventually(async () => ((await processesOf(w)).length === 0 ? true : null), PATIENT_MS);
  },
  PATIENT_MS * 2 + KILLS * 20_000,
);

async function sessionsOf(w: Fixture) {
  const { sessions } = await w.json<SessionList>(["ls"]);
  return sessions.map(({ id, name, state, pane, pid }) => ({ id, name, state, pane, pid })).sort((a, b) => a.name.localeCompare(b.name));
}

type Viewer = ReturnType<typeof follow>;

/** Reads a session's terminal over every daemon, and records each line out of sequence. */
function follow(w: Fixture, session: string) {
  const terminal = openTerminal(localTransport({ socket: join(w.home, "run", "tmpm.sock") }), { session, attempts: 1_000 });
  const faults: string[] = [];
  let [last, lines, rest] = [0, 0, ""];
  let seq: number | null = null;
  const read = (event: TerminalEvent) => {
    if (event.kind === "screen" && event.reason !== null) faults.push(`${session}: ${event.reason} behind line ${last}`);
    if (event.kind !== "output") return;
    if (seq !== null && event.seq !== seq) faults.push(`${session}: byte ${event.seq} behind byte ${seq}`);
    seq = event.seq + event.bytes.length;
    const pieces = (rest + Buffer.from(event.bytes).toString("latin1")).split("\r\n");
    rest = pieces.pop() ?? "";
    for (const piece of pieces) {
      const number = Number.parseInt(piece, 10);
      // The first piece may be the end of a line.
      if (lines > 0 && number !== last + 1) faults.push(`${session}: line ${piece.slice(0, 20)} behind line ${last}`);
      if (lines > 0 || piece.length > 80) [last, lines] = [number, lines + 1];
    }
  };
  const done = (async () => {
    for await (const event of terminal) read(event);
  })();
  done.catch((error: unknown) => faults.push(`${session}: ${error}`));
  return { seen: () => ({ lines, faults }), close: () => terminal.close() };
}

/** Waits until this many more lines were read. */
async function goesOn(viewer: Viewer | undefined, lines: number): Promise<void> {
  const from = viewer?.seen().lines ?? 0;
  await eventually(async () => ((viewer?.seen().lines ?? 0) >= from + lines ? true : null), PATIENT_MS);
}

/** The processes that refer to this home in their arguments or their environment. */
async function processesOf(w: Fixture): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const environments = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string) => readFile(join("/proc", pid, name), "latin1").catch(() => "");
      return (await read("cmdline")) + (await read("environ"));
    }),
  );
  return pids.filter((_, index) => environments[index]?.includes(w.home));
}
