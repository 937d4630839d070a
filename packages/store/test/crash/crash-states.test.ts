import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeWriteCalls, type WriteCalls } from "../../src/durable/write-durably.js";
import { directoryStore, singleFileStore } from "../../src/index.js";
import type { SessionStore } from "../../src/store.js";
import { type ScratchFolder, scratchFolder } from "../scratch-folder.js";
import { type ExamineOptions, examine, type Report } from "./examine.js";
import { type Mutation, withoutFileSync, withoutFolderSync, withoutRename, writtenInPlace } from "./mutations.js";
import { type Operation, recorder } from "./operation.js";
import { stateReader } from "./read-back.js";
import { recordWorkload } from "./workload.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const seed = Number(process.env.TMPM_TEST_SEED ?? "1");

type Open = (root: string, writeCalls: WriteCalls) => SessionStore;

/** With the minimum number of states: one file is written by one process at a time, which has fewer combinations. */
const LAYOUTS: readonly (readonly [string, number, Open])[] = [
  ["directory", 6_000, (root, writeCalls) => directoryStore({ base: join(root, "sessions"), writeCalls })],
  ["single file", 1_000, (root, writeCalls) => singleFileStore({ path: join(root, "manager", "sessions.json"), writeCalls })],
];

describe.each(LAYOUTS)("states after a crash in the layout %s", (_layout, atLeast, openAt) => {
  let folder: ScratchFolder;
  let log: readonly Operation[];

  beforeAll(async () => {
    folder = scratchFolder();
    const record = recorder();
    log = await recordWorkload(openAt(folder.path, record.calls), record);
  });
  afterAll(() => folder.remove());

  async function examined(operations: readonly Operation[], options: Pick<ExamineOptions, "limit" | "enough">): Promise<Report> {
    const scratch = scratchFolder();
    const read = stateReader({ root: folder.path, open: (root) => openAt(root, nodeWriteCalls), scratch });
    const report = await examine(operations, { ...options, root: folder.path, read, random: randomFrom(seed) });
    scratch.remove();
    return report;
  }

  test(`are whole and contain every acknowledged write (seed ${seed})`, { timeout: 120_000 * scale }, async () => {
    const { states, torn, lost } = await examined(log, { limit: scale < 10 ? 150 * scale : 2_000 * scale, enough: 10 });
    expect({ torn, lost }).toEqual({ torn: [], lost: [] });
    expect(states).toBeGreaterThan(atLeast);
  });

  const MUTATIONS: readonly (readonly [string, Mutation, readonly ("torn" | "lost")[]])[] = [
    ["no fsync of the file", withoutFileSync, ["torn"]],
    ["no fsync of the folder", withoutFolderSync, ["lost"]],
    ["no rename", withoutRename, ["lost"]],
    ["no rename, but writes in place", writtenInPlace, ["torn"]],
  ];

  test.each(MUTATIONS)("are found faulty with %s", async (_title, mutation, faults) => {
    const report = await examined(mutation(log), { limit: 100, enough: 50 });
    for (const fault of faults) expect(report[fault]).not.toEqual([]);
  });
});

/** Mulberry32. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
