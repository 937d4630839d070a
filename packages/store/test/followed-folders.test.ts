import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, stat, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleRecord } from "../src/contract/sample-record.js";
import type { Entry, SessionStore } from "../src/index.js";
import { directoryStore } from "../src/sessions/directory-store.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const HOUR = 3_600_000;
const REWRITES = scale < 10 ? 100 * scale : 10_000;
const COUNT = 100;
let folder: ScratchFolder;
let base: string;
let clock: number;
let store: SessionStore;

/** More sessions than are checked individually; the clock is an hour ahead, so that no file counts as young. */
beforeEach(async () => {
  folder = scratchFolder();
  base = join(folder.path, "sessions");
  mkdirSync(join(base, "default"), { recursive: true });
  for (let number = 0; number < COUNT; number++) write(number, "stopped");
  clock = Date.now() + HOUR;
  store = directoryStore({ base, clock: () => clock });
  for (let look = 0; look < 3; look++) expect(await store.list()).toHaveLength(COUNT);
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

function idOf(number: number): string {
  return `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

function pathOf(number: number, project_id = "default"): string {
  return join(base, project_id, `${idOf(number)}.json`);
}

function write(number: number, state: "stopped" | "errored", project_id = "default"): void {
  writeFileSync(pathOf(number, project_id), JSON.stringify(sampleRecord(1, { id: idOf(number), state, project_id })));
}

async function stateOf(number: number): Promise<string> {
  const entry = (await store.list()).find((each) => idIn(each) === idOf(number));
  return entry?.kind === "session" ? entry.record.state : (entry?.kind ?? "absent");
}

function idIn(entry: Entry): string {
  return entry.kind === "session" ? entry.record.id : entry.id;
}

describe("with many records, the next read sees a change by another program", () => {
  test("in place, of equal size, with the modification time restored", { timeout: 60_000 * scale }, async () => {
    for (let round = 0; round < REWRITES; round++) {
      const number = (round * 37) % COUNT;
      const { atime, mtime, size } = statSync(pathOf(number));
      const state = (await stateOf(number)) === "stopped" ? "errored" : "stopped";
      write(number, state);
      utimesSync(pathOf(number), atime, mtime);
      expect(statSync(pathOf(number)).size).toBe(size);
      expect(await stateOf(number)).toBe(state);
    }
  });

  test("from any point in the event loop", async () => {
    const turns = [setImmediate, queueMicrotask, (go: () => void) => setTimeout(go, 1), (go: () => void) => stat(base, go)];
    for (const [number, turn] of turns.entries()) {
      const state = await new Promise<string>((resolve, reject) => {
        turn(() => {
          write(number, "errored");
          stateOf(number).then(resolve, reject);
        });
      });
      expect(state).toBe("errored");
    }
  });

  test("to files added, removed, replaced and damaged", async () => {
    write(COUNT, "errored");
    expect(await stateOf(COUNT)).toBe("errored");
    rmSync(pathOf(COUNT));
    expect(await stateOf(COUNT)).toBe("absent");
    write(COUNT, "stopped");
    renameSync(pathOf(COUNT), pathOf(7));
    expect(await stateOf(7)).toBe("damaged");
    write(7, "errored");
    expect(await stateOf(7)).toBe("errored");
    expect(await store.list()).toHaveLength(COUNT);
  });

  test("in a project folder that is moved away, replaced, and moved back", async () => {
    const [real, aside] = [join(base, "default"), join(folder.path, "aside")];
    renameSync(real, aside);
    expect(await store.list()).toEqual([]);
    mkdirSync(real);
    write(1, "errored");
    expect(await stateOf(1)).toBe("errored");
    rmSync(real, { recursive: true });
    renameSync(aside, real);
    write(2, "errored");
    expect(await stateOf(2)).toBe("errored");
    expect(await stateOf(1)).toBe("stopped");
  });

  test("in a project added later", async () => {
    mkdirSync(join(base, "other"));
    expect(await store.list()).toHaveLength(COUNT);
    for (const state of ["stopped", "errored"] as const) {
      write(COUNT, state, "other");
      expect(await stateOf(COUNT)).toBe(state);
    }
  });

  test("after an intermediate read failed", async () => {
    write(3, "errored");
    renameSync(base, `${base}-aside`);
    expect(await stateOf(3)).toBe("stopped");
    expect(store.health().state).toBe("degraded");
    renameSync(`${base}-aside`, base);
    expect(await stateOf(3)).toBe("errored");
  });

  test("after the kernel's event queue overflowed", async () => {
    for (let round = 0; round < 17_000; round++) utimesSync(pathOf(1 + (round % 2)), 1, 1);
    write(9, "errored");
    expect(await stateOf(9)).toBe("errored");
  });

  test("through a hard link to the file", async () => {
    linkSync(pathOf(5), join(folder.path, "link"));
    utimesSync(pathOf(5), 1, 1);
    await store.list();
    writeFileSync(join(folder.path, "link"), readFileSync(pathOf(5), "utf8").replace("stopped", "errored"));
    expect(await stateOf(5)).toBe("errored");
  });
});

test("with many records, checks only those that the kernel reported, and all after the sweep interval", async ({ skip }) => {
  if (process.platform !== "linux") skip("only Linux reports a change before it returns");
  for (const number of [5, 6]) {
    const link = join(folder.path, `link-${number}`);
    linkSync(pathOf(number), link);
    writeFileSync(link, readFileSync(link, "utf8").replace("stopped", "errored"));
  }
  expect(await stateOf(5)).toBe("stopped");
  expect(await store.get(idOf(6))).toMatchObject({ record: { state: "errored" } });
  expect(await stateOf(5)).toBe("stopped");
  clock += 30_000;
  expect(await stateOf(5)).toBe("errored");
});

test("returns the same list until something changes", async () => {
  const list = await store.list();
  expect(await store.list()).toBe(list);
  expect(await store.list({ archived: true })).not.toBe(list);
  write(1, "errored");
  expect(await store.list()).not.toBe(list);
  expect(await store.list({ project_id: "default" })).toHaveLength(COUNT);
  expect(await store.list({ project_id: "" })).toEqual([]);
});
