import { readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "@tmpm/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { acquireDaemonLock } from "../src/locks/daemon-lock.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";
import { type Worker, type Workers, workers } from "./worker.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const NO_FLOCK = "no-such-program";
let all: Workers;
let folder: ScratchFolder;
let dir: string;

beforeAll(async () => {
  all = await workers();
});
afterAll(() => all.dispose());
beforeEach(() => {
  folder = scratchFolder();
  dir = join(folder.path, "data");
});
afterEach(() => folder.remove());

function ask(daemon: Worker, line: string): Promise<unknown> {
  daemon.send(line);
  return daemon.next();
}

/** Takes the lock in another process, with or without a flock program. */
async function holder(flock = ""): Promise<Worker> {
  const daemon = all.startDaemon();
  expect(await ask(daemon, `acquire ${dir} ${flock}`.trim())).toEqual({ won: daemon.pid });
  return daemon;
}

function refusal(options: { readonly flock?: string } = {}): unknown {
  try {
    acquireDaemonLock({ dir, ...options }).release();
    return "it was free";
  } catch (error) {
    if (hasCode(error, "DAEMON_RUNNING")) return error.details.pid;
    throw error;
  }
}

describe("daemon lock", () => {
  test("goes to exactly one of many concurrent processes, and the others name it", { timeout: 600_000 }, async () => {
    const daemons = Array.from({ length: scale < 10 ? 5 : 20 }, () => all.startDaemon());
    for (let round = 0; round < (scale < 10 ? 2 * scale : 5 * scale); round++) {
      for (const flock of ["", NO_FLOCK]) {
        const said = await Promise.all(daemons.map((daemon) => ask(daemon, `acquire ${dir} ${flock}`.trim())));
        const winners = daemons.filter((daemon, index) => JSON.stringify(said[index]) === JSON.stringify({ won: daemon.pid }));
        expect(winners).toHaveLength(1);
        expect(said.filter((each) => JSON.stringify(each) === JSON.stringify({ lost: winners[0]?.pid }))).toHaveLength(daemons.length - 1);
        await Promise.all(daemons.map((daemon) => ask(daemon, "release")));
      }
    }
    for (const daemon of daemons) daemon.kill("SIGKILL");
  });

  test.each([
    ["with flock", undefined],
    ["without flock", NO_FLOCK],
  ])("%s is not taken from a stopped holder, and is free at once when the holder is killed", async (_title, flock) => {
    const daemon = await holder(flock);
    daemon.kill("SIGSTOP");
    expect(refusal()).toBe(daemon.pid);
    daemon.kill("SIGKILL");
    await daemon.ended;
    const lock = acquireDaemonLock({ dir });
    expect(lock.holder.pid).toBe(process.pid);
    lock.release();
    lock.release();
    expect(refusal()).toBe("it was free");
  });

  test("is exclusive within a process, and free after release", () => {
    const lock = acquireDaemonLock({ dir });
    expect(refusal()).toBe(process.pid);
    lock.release();
    expect(refusal({ flock: NO_FLOCK })).toBe("it was free");
  });

  test("is respected between processes with and without the flock program", async () => {
    const without = await holder(NO_FLOCK);
    expect(refusal()).toBe(without.pid);
    without.kill("SIGKILL");
    await without.ended;
    const withFlock = await holder();
    expect(refusal({ flock: NO_FLOCK })).toBe(withFlock.pid);
    withFlock.kill("SIGKILL");
  });

  test("is not kept by children that the holder starts later", async () => {
    const lock = acquireDaemonLock({ dir });
    const child = all.startDaemon();
    lock.release();
    expect(refusal()).toBe("it was free");
    child.kill("SIGKILL");
  });

  test("respects a claim from another container while its flock is held or cannot be tested", async () => {
    const daemon = await holder();
    const claim = join(dir, "daemon.claim");
    const boot = readlinkSync(claim).split(":")[2];
    rmSync(claim);
    symlinkSync(`1:1:${boot}:1:0123456789abcdef`, claim);
    expect(refusal()).toBe(1);
    daemon.kill("SIGKILL");
    await daemon.ended;
    expect(refusal({ flock: NO_FLOCK })).toBe(1);
    expect(refusal()).toBe("it was free");
    expect(readdirSync(dir)).toEqual(["daemon.lock"]);
  });
});
