import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sampleRecord } from "../src/contract/sample-record.js";
import { directoryStore } from "../src/sessions/directory-store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";
import { type Workers, workers } from "./worker.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const seed = Number(process.env.TMPM_TEST_SEED ?? "1");
const { id } = sampleRecord(1);
let all: Workers;
let folder: ScratchFolder;
let base: string;

beforeAll(async () => {
  all = await workers();
});
afterAll(() => all.dispose());
beforeEach(async () => {
  folder = scratchFolder();
  base = join(folder.path, "sessions");
  await directoryStore({ base }).create(sampleRecord(1));
});
afterEach(() => folder.remove());

function document(): { readonly rev: number } {
  return JSON.parse(readFileSync(join(base, "default", `${id}.json`), "utf8"));
}

/** Null if the command works here, else the reason to skip a test that needs it. */
function missing(command: string, ...args: readonly string[]): string | null {
  const { error, status } = spawnSync(command, args);
  return error === undefined && status === 0 ? null : `${[command, ...args].join(" ")} does not work here`;
}

interface Tried {
  readonly ok?: number;
  readonly code?: string;
}

describe("real system call failures", () => {
  const POINTS = [
    ["fsync", "EIO"],
    ["fsync", "ENOSPC"],
    ["rename", "EACCES"],
    ["rename", "EIO"],
    ["symlink", "ENOSPC"],
    ["unlink", "EIO"],
    ["openat", "EMFILE"],
    ["openat", "EIO"],
    ["close", "EIO"],
  ] as const;

  /** Every third one, from an offset given by the seed; all of them at full scale. */
  const SOME = POINTS.filter((_, index) => scale >= 10 || (index + seed) % 3 === 0);

  test.for(SOME)("%s with %s: every acknowledged write is on the disk", { timeout: 60_000 * scale }, async ([call, errno], { skip }) => {
    const reason = missing("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true");
    if (reason !== null) skip(reason);
    for (let nth = 1; nth <= scale; nth++) await run(call, { errno, nth });
  });

  /** Node itself opens and closes files too: only calls on the record's folder fail. strace counts for each thread. */
  async function run(call: string, { errno, nth }: { readonly errno: string; readonly nth: number }): Promise<void> {
    const before = document().rev;
    const times = 8 + nth;
    const paths = call === "openat" || call === "close" ? ["-P", join(base, "default")] : [];
    const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:error=${errno}:when=${nth}+3`];
    const prefix = ["strace", "-f", "--seccomp-bpf", "-qq", "-E", "UV_THREADPOOL_SIZE=1", "-o", "/dev/null", ...paths, ...inject];
    const worker = all.start({ do: "try-updates", base, id, times }, { prefix });
    const said = await worker.rest();
    expect(await worker.ended).toBe(0);
    expect(said.at(-1)).toBe("done");
    const tried = said.slice(0, -1) as readonly Tried[];
    const acknowledged = tried.flatMap(({ ok }) => ok ?? []);
    expect(acknowledged.length).toBeGreaterThan(0);
    // An update unlinks only its lock, whose release never replaces the outcome.
    if (call === "unlink") expect(acknowledged).toHaveLength(times);
    else expect(acknowledged.length).toBeLessThan(times);
    expect(acknowledged).toEqual(acknowledged.toSorted((a, b) => a - b));
    for (const { code } of tried) expect(code ?? "STORE_DEGRADED").toMatch(/^(STORE_|STORAGE_FULL|RESOURCE_EXHAUSTED)/);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(document().rev).toBeGreaterThanOrEqual(acknowledged.at(-1) ?? before);
    expect(document().rev).toBeLessThanOrEqual(before + times);
  }
});

describe("separate disk", () => {
  const mounted = (how: string) => ["unshare", "-Urm", "sh", "-c", `${how} && exec "$@"`, "sh"];

  test("that is full: STORAGE_FULL, nothing lost or left over, and writes continue once there is space", async ({ skip }) => {
    const disk = join(folder.path, "disk");
    mkdirSync(disk);
    const prefix = mounted(`mount -t tmpfs -o size=64k tmpfs ${disk}`);
    const reason = missing(prefix[0] ?? "", ...prefix.slice(1), "true");
    if (reason !== null) skip(reason);
    const worker = all.start({ do: "fill", base: join(disk, "sessions"), id }, { prefix });
    expect(await worker.next()).toMatchObject({
      full: { code: "ENOSPC" },
      updated: { code: "STORAGE_FULL", effect: "none" },
      created: { code: "STORAGE_FULL", effect: "none" },
      listed: { ok: ["session"] },
      temporaries: 0,
      after: { ok: 2 },
      health: "ok",
    });
  });

  test("that is read-only: reads continue, writes fail", async ({ skip }) => {
    const prefix = mounted(`mount --bind ${base} ${base} && mount -o remount,ro,bind ${base}`);
    const reason = missing(prefix[0] ?? "", ...prefix.slice(1), "true");
    if (reason !== null) skip(reason);
    const worker = all.start({ do: "probe", base, id }, { prefix });
    expect(await worker.next()).toMatchObject({
      listed: { ok: ["session"] },
      updated: { code: "STORE_READ_ONLY", effect: "none" },
      created: { code: "STORE_READ_ONLY", effect: "none" },
      health: "ok",
    });
    expect(document().rev).toBe(1);
  });
});

describe("user without permission", () => {
  const UNPRIVILEGED_ID = 65_534;
  const asUser = process.getuid?.() === 0 ? ["setpriv", `--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, "--clear-groups"] : [];

  /** Gives the existing files to the user, who is not root, before the modes are set. */
  function give(...paths: readonly string[]): void {
    chmodSync(folder.path, 0o755);
    if (asUser.length > 0) for (const path of paths) chownSync(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  }

  async function probe(): Promise<unknown> {
    const worker = all.start({ do: "probe", base, id }, { prefix: asUser });
    return worker.next();
  }

  test("for the base gets an error, not an empty list", async () => {
    give(base);
    chmodSync(base, 0);
    expect(await probe()).toMatchObject({
      listed: { code: "STORE_DEGRADED", details: { errno: "EACCES" } },
      updated: { code: "STORE_DEGRADED", effect: "none" },
      created: { code: "STORE_DEGRADED", effect: "none" },
      health: "degraded",
    });
    chmodSync(base, 0o700);
  });

  test("for one record sees it as damaged, and the others as usual", async () => {
    const file = join(base, "default", `${id}.json`);
    give(base, join(base, ".locks"), join(base, "default"), file);
    chmodSync(file, 0);
    expect(await probe()).toMatchObject({
      listed: { ok: ["damaged"] },
      updated: { code: "RECORD_DAMAGED", effect: "none" },
      created: { ok: 1 },
      health: "ok",
    });
  });

  test("to write gets STORE_READ_ONLY, and reads", async () => {
    const file = join(base, "default", `${id}.json`);
    give(base, join(base, ".locks"), join(base, "default"), file);
    for (const path of [base, join(base, ".locks"), join(base, "default")]) chmodSync(path, 0o555);
    expect(await probe()).toMatchObject({
      listed: { ok: ["session"] },
      updated: { code: "STORE_READ_ONLY", effect: "none" },
      created: { code: "STORE_READ_ONLY", effect: "none" },
      health: "ok",
    });
    for (const path of [base, join(base, ".locks"), join(base, "default")]) chmodSync(path, 0o755);
  });
});
