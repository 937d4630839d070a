import { client } from "@tmpm/api/client";
import { expect, test } from "vitest";
import { eachNode, missingNotes } from "../../src/fleet/each-node.js";
import { nodeAnswer } from "../fixtures/node-answer.js";

const COUNTS = { total: 1, live: 1, limit: null, agents: [], projects: [], owners: [] };

/** This machine and a node whose answer arrives when `answer` is called. */
function machines() {
  let answer: () => void = () => undefined;
  const response = (body: object) => ({ status: 200, headers: {}, body: JSON.stringify(body) });
  const own = client({ transport: { request: async () => response({ nodes: [nodeAnswer()], next: null }) } });
  const other = client({
    transport: {
      request: ({ signal }) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
          answer = () => resolve(response(COUNTS));
        }),
    },
  });
  return { client: () => own, at: () => ({ client: () => other }), answer: () => answer() };
}

/** A timer that is due whenever `pass` is called, in a process that is idle for the given time. */
function clock() {
  let due: (() => void) | null = null;
  let idle = 0;
  return {
    timer: {
      after: (_ms: number, act: () => void) => {
        due = act;
        return () => undefined;
      },
    },
    idleMs: () => idle,
    pass({ idleMs }: { readonly idleMs: number }) {
      idle += idleMs;
      due?.();
    },
    isWaiting: () => due !== null,
  };
}

async function counted(idleMs: number) {
  const time = clock();
  const between = machines();
  const counts = eachNode(between, {
    only: [],
    ask: async (each, within) => (each === between.client() ? COUNTS : within((options) => each.counts({}, options))),
    waits: time,
  });
  await expect.poll(time.isWaiting).toBe(true);
  for (let times = 0; times < 100; times++) time.pass({ idleMs: idleMs / 100 });
  between.answer();
  return missingNotes((await counts).nodes);
}

test("the work of the command itself does not count as silence of a node", async () => {
  expect(await counted(0)).toEqual([]);
  expect(await counted(200)).toEqual([]);
});

test("a node that has been silent for 300 ms is named", async () => {
  expect(await counted(400)).toEqual(["incomplete: build1 does not answer (no answer within 300 ms)"]);
});
