import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bootId, type HolderFacts, holderEnded } from "../src/holder-facts.js";

test("an unreadable boot id is an error, a missing one is empty, and it is read once", async () => {
  expect(() => bootId(tmpdir())).toThrow(expect.objectContaining({ code: "EISDIR" }));
  expect(bootId(join(tmpdir(), "no-such-file"))).toBe("");
  expect(bootId()).toBe("");
  // Neither proves anything of a running process.
  const facts: HolderFacts = {
    ...{ protocol: 1, session_id: "one", name: "one", socket: "/s", pid: 7, start: "1", boot: "b", started_at: 1, program: null },
  };
  const info = { pid: 7, parent: 1, group: 7, session: 7, foregroundGroup: 0, start: "1", startedAt: 1, zombie: false, command: "node" };
  const table = {
    ...{ all: async () => [info], some: async () => new Map([[7, info]]), withEnvironment: async () => [] },
    ...{ marked: async () => new Map(), inTmux: async () => new Map(), withTerminalOf: async () => [] },
  };
  expect(await holderEnded(table, facts)).toBe(false);
});
