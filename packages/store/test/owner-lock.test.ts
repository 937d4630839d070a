import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../src/contract/assertions.js";
import { type Attempt, ownerLock, tryOwnerLock } from "../src/locks/owner-lock.js";
import { isProcess, livenessOf, ownIdentity } from "../src/locks/process-identity.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

let folder: ScratchFolder;
let path: string;
const nonce = "0123456789abcdef";

beforeEach(() => {
  folder = scratchFolder();
  path = join(folder.path, "lock");
});
afterEach(() => folder.remove());

function plant(changes: Partial<ReturnType<typeof ownIdentity>>): void {
  const { pid, start, boot, namespace } = { ...ownIdentity(), ...changes };
  symlinkSync([pid, start, boot, namespace, nonce].join(":"), path);
}

function acquired(attempt: Attempt) {
  if (attempt.outcome !== "acquired") throw new Error(`held by ${attempt.holder.pid}`);
  return attempt.lock;
}

describe("owner lock", () => {
  test("is exclusive, names its holder, and is free after an idempotent release", () => {
    const lock = acquired(tryOwnerLock(path));
    expect(tryOwnerLock(path)).toMatchObject({ outcome: "held", liveness: "running", holder: { pid: process.pid } });
    lock.release();
    lock.release();
    acquired(tryOwnerLock(path)).release();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("is taken from a holder whose pid was reused, or that predates the last boot", () => {
    for (const changes of [{ start: "1" }, { boot: "another" }, { pid: 4_194_305 }]) {
      plant(changes);
      acquired(tryOwnerLock(path)).release();
      expect(readdirSync(folder.path)).toEqual([]);
    }
  });

  test("is not taken from a claim in the form of an earlier version, which names the boot by its time, while its process exists", () => {
    const boot = "1795920000";
    plant({ boot });
    expect(tryOwnerLock(path)).toMatchObject({ outcome: "held", liveness: "running" });
    rmSync(path);
    plant({ boot, start: "Sun-Nov-29-00-00-00-2026" });
    expect(tryOwnerLock(path)).toMatchObject({ outcome: "held", liveness: "unknown" });
    rmSync(path);
    plant({ boot, pid: 4_194_305 });
    acquired(tryOwnerLock(path)).release();
  });

  test("is not taken from a holder in another pid namespace, which cannot be checked", () => {
    plant({ namespace: "1" });
    expect(tryOwnerLock(path)).toMatchObject({ outcome: "held", liveness: "unknown" });
  });

  test("is taken when a process died while removing the same dead holder", () => {
    plant({ start: "1" });
    const { pid, boot, namespace } = ownIdentity();
    symlinkSync([pid, "2", boot, namespace, "fedcba9876543210"].join(":"), `${path}~${nonce}`);
    acquired(tryOwnerLock(path)).release();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("is not removed by a process that saw an earlier, dead holder", () => {
    plant({ start: "1" });
    const right = acquired(tryOwnerLock(`${path}~${nonce}`));
    expect(tryOwnerLock(path)).toMatchObject({ outcome: "held" });
    expect(readlinkSync(path)).toContain(nonce);
    right.release();
    acquired(tryOwnerLock(path)).release();
  });

  test("a release does not free another process's lock", () => {
    const lock = acquired(tryOwnerLock(path));
    rmSync(path);
    plant({});
    lock.release();
    expect(readlinkSync(path)).toContain(nonce);
  });

  test("a release that fails does not throw, and this process can take the lock again once that is possible", () => {
    const below = join(folder.path, "below");
    mkdirSync(below);
    const lock = acquired(tryOwnerLock(join(below, "lock")));
    renameSync(below, `${below}.away`);
    writeFileSync(below, "");
    lock.release();
    rmSync(below);
    renameSync(`${below}.away`, below);
    expect(readdirSync(below)).toEqual(["lock"]);
    acquired(tryOwnerLock(join(below, "lock"))).release();
    expect(readdirSync(below)).toEqual([]);
  });

  test("replaces a link that is not a claim; a file at its path is an error and stays", () => {
    symlinkSync("somewhere/else", path);
    acquired(tryOwnerLock(path)).release();
    writeFileSync(path, "");
    expect(() => tryOwnerLock(path)).toThrow(expect.objectContaining({ code: "EINVAL" }));
    expect(readdirSync(folder.path)).toEqual(["lock"]);
  });

  test("waiting ends at the timeout and returns the holder", async () => {
    plant({});
    expect(await ownerLock(path, { timeoutMs: 20 })).toMatchObject({ holder: { pid: process.pid } });
  });

  test("waiting restarts with each new holder, up to a limit", async () => {
    const started = performance.now();
    let serial = 0;
    const hands = setInterval(() => {
      rmSync(path, { force: true });
      const { pid, start, boot, namespace } = ownIdentity();
      symlinkSync([pid, start, boot, namespace, String(serial++).padStart(16, "0")].join(":"), path);
    }, 5);
    plant({});
    const held = await ownerLock(path, { timeoutMs: 400 });
    clearInterval(hands);
    expect(held).toMatchObject({ holder: { pid: process.pid } });
    expect(performance.now() - started).toBeGreaterThan(800);
  });

  test("a missing folder throws ENOENT", () => {
    let thrown: unknown;
    try {
      tryOwnerLock(join(folder.path, "missing", "lock"));
    } catch (error) {
      thrown = error;
    }
    expect(hasErrno(thrown, "ENOENT")).toBe(true);
  });
});

test("a zombie process is gone, and the current one is running", async () => {
  expect(livenessOf(ownIdentity())).toBe("running");
  expect(livenessOf({ ...ownIdentity(), pid: 4_194_305 })).toBe("gone");
  const parent = spawn("sh", ["-c", "exec 3<&0; (read -r line <&3) & echo $!; exec sleep 60"], { stdio: ["pipe", "pipe", "ignore"] });
  const pid = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
  expect(livenessOf({ ...ownIdentity(), pid, start: "" })).toBe("running");
  await eventually(() => expect(execFileSync("ps", ["-o", "comm=", "-p", String(parent.pid)], { encoding: "utf8" })).toBe("sleep\n"));
  parent.stdin.end("a shell would reap it, sleep does not\n");
  await eventually(() => expect(livenessOf({ ...ownIdentity(), pid, start: "" })).toBe("gone"));
  expect(isProcess(pid)).toBe(true);
  parent.kill("SIGKILL");
});
