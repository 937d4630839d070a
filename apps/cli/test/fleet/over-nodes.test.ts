import type { CountsAnswer, NextAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { merged } from "../../src/fleet/merged.js";
import { mergedCounts } from "../../src/fleet/merged-counts.js";
import { mostUrgent } from "../../src/fleet/most-urgent.js";
import { session } from "../top/sessions.js";

const PARTS = [
  { node: null, complete: true, reason: null },
  { node: "build1", complete: true, reason: null },
  { node: "build2", complete: false, reason: "no answer within 300 ms" },
];

test("counts of several machines are added up, projects stay separate, and silent machines are named", () => {
  const counts = (total: number, live: number): CountsAnswer => ({
    total,
    live,
    limit: 10,
    agents: [{ agent: "claude", total, live }],
    projects: [{ project_id: "default", total, live }],
    owners: [{ owner: null, total, live }],
  });
  const answers = [
    { node: null, answer: counts(2, 1) },
    { node: "build1", answer: counts(5, 3) },
  ];
  expect(mergedCounts({ answers, nodes: PARTS })).toEqual({
    total: 7,
    live: 4,
    limit: 20,
    agents: [{ agent: "claude", total: 7, live: 4 }],
    projects: [
      { project_id: "default", total: 2, live: 1 },
      { project_id: "build1:default", total: 5, live: 3 },
    ],
    owners: [{ owner: null, total: 7, live: 4 }],
    complete: false,
    nodes: [
      { ...PARTS[0], total: 2, live: 1 },
      { ...PARTS[1], total: 5, live: 3 },
      { ...PARTS[2], total: 0, live: 0 },
    ],
  });
  const [own, other] = answers;
  if (own === undefined || other === undefined) throw new Error("both are there");
  const unlimited = { ...other, answer: { ...other.answer, limit: null } };
  expect(mergedCounts({ answers: [own, unlimited], nodes: PARTS }).limit).toBeNull();
});

test("next chooses the most urgent session of all machines", () => {
  const of = (node: string | null, answer: NextAnswer) => ({ node, answer });
  const answers = [
    of(null, { session: session("stuck", "errored") }),
    of("build1", { session: session("asks", "awaiting_approval") }),
    of("build3", { session: null }),
  ];
  expect(mostUrgent({ answers, nodes: PARTS })).toMatchObject({ node: "build1", session: { name: "asks" }, complete: false });
  expect(mostUrgent({ answers: [of(null, { session: null })], nodes: PARTS.slice(0, 1) })).toMatchObject({
    node: null,
    session: null,
    complete: true,
  });
});

test("events of several machines are printed as they come, and stopping one stream stops all", async () => {
  let left = 0;
  async function* counting(from: number): AsyncGenerator<number> {
    try {
      for (let number = from; ; number += 2) {
        yield number;
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      left += 1;
    }
  }
  const seen: number[] = [];
  for await (const number of merged([counting(0), counting(1)])) {
    seen.push(number);
    if (seen.length === 6) break;
  }
  expect(seen.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5]);
  await expect.poll(() => left).toBe(2);
});

test("events are not retained while another machine is silent", async () => {
  let reactions = 0;
  class Counted<T> extends Promise<T> {
    // biome-ignore lint/suspicious/noThenProperty: the reactions to it are counted
    override then<A = T, B = never>(...reaction: Parameters<Promise<T>["then"]>): Promise<A | B> {
      reactions += 1;
      return super.then(...reaction) as Promise<A | B>;
    }
  }
  async function* counting(): AsyncGenerator<number> {
    for (let number = 1; ; number += 1) yield number;
  }
  const silent = Object.assign(counting(), { next: () => new Counted<IteratorResult<number>>(() => undefined) });
  for await (const number of merged([silent, counting()])) if (number === 1_000) break;
  expect(reactions).toBe(1);
});

test("values of a machine before the failure of another one are printed before the failure", async () => {
  async function* saying(): AsyncGenerator<string> {
    yield "said";
    throw new Error("it failed");
  }
  const seen: string[] = [];
  const all = async () => {
    for await (const each of merged([saying(), saying()])) seen.push(each);
  };
  await expect(all()).rejects.toThrow("it failed");
  expect(seen).toEqual(["said", "said"]);
});
