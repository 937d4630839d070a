import { setTimeout as sleep } from "node:timers/promises";
import { isTmpmError } from "@tmpm/core";
import { describe, expect, test } from "vitest";
import { eventually } from "../../src/contract/expect.js";
import { idOf } from "../../src/contract/sessions.js";
import type { TmuxHarness } from "../tmux-harness.js";
import { connected, openControl } from "./control-harness.js";
import { judgedPanes, runs, startLookalike } from "./judge.js";
import { type MarkedPane, markedPane, received } from "./marked-pane.js";
import { type Call, DEADLINES, OPERATIONS } from "./operations.js";
import { pick, SCALE, SEED, seeded } from "./seeded.js";

/** Fifty of each at full scale. */
const POINTS = SCALE < 10 ? 2 * SCALE : 5 * SCALE;
const SLACK_MS = 1000;
const RECOVERY_MS = 2000;
/** How long after its start an operation is disturbed at the latest. */
const SPAN_MS = 40;

interface Ended {
  readonly call: Call;
  readonly outcome: "done" | "undone" | "unknown";
}

const DISTURBANCES = ["killed", "stopped", "restarted"] as const;

describe.each(DISTURBANCES)("a server that is %s", (disturbance) => {
  test.each(Object.keys(OPERATIONS))(
    `at ${POINTS} random points of %s (seed ${SEED})`,
    { timeout: 30_000 + 10_000 * POINTS },
    async (name) => {
      const harness = await openControl({ deadlines: DEADLINES });
      const chance = seeded(100 + DISTURBANCES.indexOf(disturbance) * 10 + name.length);
      for (let point = 0; point < POINTS; point++) {
        const round = `${point}`;
        const target = await markedPane(harness, `t${round}`);
        const bystander = await markedPane(harness, `b${round}`);
        await connected(harness);
        const calls = OPERATIONS[name]?.({ harness, round, target, chance }) ?? [];
        const ended = Promise.all(calls.map(end));
        const looked = lookMeanwhile(harness, bystander);
        await sleep(chance(SPAN_MS));
        const after = await DISTURB[disturbance]({
          harness,
          pid: target.pane.identity.server_pid,
          tags: [target.id, bystander.id],
          chance,
        });
        await looked.stop();
        await after(await ended, bystander);
        expect(bystander.received()).toBe("");
      }
    },
  );
});

async function end(call: Call): Promise<Ended> {
  const start = performance.now();
  const outcome = await call.promise.then(
    () => "done" as const,
    (error: unknown) => {
      if (!isTmpmError(error)) throw error;
      return error.effect === "none" ? ("undone" as const) : ("unknown" as const);
    },
  );
  expect(performance.now() - start).toBeLessThan(call.deadlineMs + SLACK_MS);
  return { call, outcome };
}

/** Asks again and again for a pane that nobody touches: it is absent only when its server has ended. */
function lookMeanwhile(harness: TmuxHarness, { pane }: MarkedPane): { stop(): Promise<void> } {
  let looking = true;
  const ask = async () => {
    while (looking) {
      const start = performance.now();
      const [found, list] = await Promise.all([harness.driver.find(pane.identity), harness.driver.list()]);
      expect(performance.now() - start).toBeLessThan(DEADLINES.read + SLACK_MS);
      const missed = list.kind === "present" && !list.value.some(({ identity }) => identity.pane_id === pane.identity.pane_id);
      if (found.kind === "absent" || list.kind === "absent" || missed) expect(runs(pane.identity.server_pid)).toBe(false);
    }
  };
  const asking = ask();
  // Its failure is told when it is stopped.
  asking.catch(() => undefined);
  return {
    stop() {
      looking = false;
      return asking;
    },
  };
}

interface Disturbed {
  readonly harness: TmuxHarness;
  readonly pid: number;
  readonly tags: readonly string[];
  readonly chance: (below: number) => number;
}

type After = (ended: readonly Ended[], bystander: MarkedPane) => Promise<void>;

const DISTURB: Readonly<Record<(typeof DISTURBANCES)[number], (server: Disturbed) => Promise<After>>> = {
  async stopped({ harness, pid, chance }) {
    process.kill(pid, "SIGSTOP");
    await sleep(pick([30, 300, DEADLINES.mutate + 500], chance));
    process.kill(pid, "SIGCONT");
    await recovers(harness);
    return async (ended, bystander) => {
      expect(runs(bystander.pane.pid)).toBe(true);
      await eventually(
        async () => {
          const panes = await judgedPanes(harness);
          return check(() => ended.forEach(({ call, outcome }) => void (outcome === "unknown" || call[outcome](panes))));
        },
        (failure) => failure === null,
      );
    };
  },
  async killed({ harness, pid }) {
    process.kill(pid, "SIGKILL");
    await eventually(
      async () => runs(pid),
      (running) => !running,
    );
    const start = performance.now();
    await markedPane(harness, `again-${pid}`);
    await recovers(harness);
    expect(performance.now() - start).toBeLessThan(RECOVERY_MS);
    return async () => undefined;
  },
  async restarted({ harness, pid, tags }) {
    process.kill(pid, "SIGKILL");
    await eventually(
      async () => runs(pid),
      (running) => !running,
    );
    const lookalike = await startLookalike(harness, tags);
    await recovers(harness);
    return async () => {
      const baits = (await judgedPanes(harness)).filter(({ tag }) => tags.some((id) => idOf(harness, id) === tag));
      expect(baits.map(({ pid: bait }) => runs(bait))).toEqual([true, true]);
      expect(tags.map((id, index) => received(harness, `bait${index}-${id}`))).toEqual(["", ""]);
      process.kill(lookalike, "SIGKILL");
      await eventually(
        async () => runs(lookalike),
        (running) => !running,
      );
    };
  },
};

/** By itself, the driver tells what another tmux tells, over its connection. */
async function recovers(harness: TmuxHarness): Promise<void> {
  const start = performance.now();
  await eventually(
    async () => {
      const list = await harness.driver.list();
      const told = list.kind === "present" ? list.value.map(({ identity }) => identity.pane_id).sort() : null;
      const judged = (await judgedPanes(harness)).map(({ pane_id }) => pane_id).sort();
      return harness.driver.transport === "control" && JSON.stringify(told) === JSON.stringify(judged);
    },
    (same) => same,
  );
  expect(performance.now() - start).toBeLessThan(RECOVERY_MS);
}

function check(assertions: () => void): unknown {
  try {
    assertions();
    return null;
  } catch (error) {
    return String(error);
  }
}
