import { expect, test } from "vitest";
import { fakeTmux } from "../src/fake/index.js";
import type { PaneInfo, ServerEvent } from "../src/index.js";
import { pollingWatch } from "../src/observe/watch.js";

/** A watch that polls at once, over panes and a clock controlled by the test. */
async function watched() {
  const tmux = fakeTmux();
  const spec = { cwd: "/", argv: ["sh"], env: {}, columns: 80, rows: 24 } as const;
  const made = await Promise.all(["a", "b"].map((tmuxName) => tmux.driver.create({ ...spec, sessionId: tmuxName, tmuxName })));
  const state = { second: 100, panes: made.map((pane): PaneInfo => ({ ...pane, activeAt: 100 })) };
  const asked: number[] = [];
  const events: ServerEvent[] = [];
  const watch = pollingWatch({
    list: async () => ({ kind: "present", value: state.panes }),
    everyMs: 1,
    recent: {
      usable: () => true,
      listEveryMs: 60_000,
      second: () => state.second,
      async panes(since) {
        asked.push(since);
        return { kind: "present", value: state.panes.filter(({ activeAt }) => activeAt >= since) };
      },
    },
  });
  watch.subscribe((event) => events.push(event));
  return { state, asked, events, close: () => watch.close() };
}

const next = (asked: readonly number[]) => {
  const before = asked.length;
  return expect.poll(() => asked.length, { interval: 1 }).toBeGreaterThan(before + 1);
};

test("queries only panes with output since the last full second, and misses none", async () => {
  const { state, asked, events, close } = await watched();
  await next(asked);
  expect(asked.at(-1)).toBe(100);
  state.second = 105;
  await next(asked);
  expect(asked.at(-1)).toBe(105);
  const [a, ...others] = state.panes;
  state.panes = a === undefined ? [] : [{ ...a, activeAt: 105 }, ...others];
  await expect.poll(() => events.map(({ type }) => type), { interval: 1 }).toEqual(["look", "active"]);
  close();
});

test("a clock set back hides no output", async () => {
  const { state, asked, events, close } = await watched();
  state.second = 5000;
  await next(asked);
  state.second = 200;
  await next(asked);
  expect(asked.at(-1)).toBe(200);
  const [a, ...others] = state.panes;
  state.panes = a === undefined ? [] : [{ ...a, activeAt: 200 }, ...others];
  await expect.poll(() => events.map(({ type }) => type), { interval: 1 }).toEqual(["look", "active"]);
  close();
});
