import { setTimeout as sleep } from "node:timers/promises";
import { isTmpmError } from "@tmpm/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../src/contract/expect.js";
import { PATIENT, type TmuxFixture } from "../tmux-fixture.js";
import { connected, openControl } from "./control-fixture.js";
import { DISTURBANCES, type Disturbance, disturb } from "./disturb.js";
import { runs } from "./judge.js";
import { type MarkedPane, markedPane } from "./marked-pane.js";
import { type Call, DEADLINES, OPERATIONS } from "./operations.js";
import { SCALE, SEED, seeded } from "./seeded.js";

/** Fifty of each at full scale. */
const POINTS = SCALE < 10 ? SCALE : 5 * SCALE;
/** The latest time of a disturbance after the start of an operation. */
const SPAN_MS = 40;
const LIMIT = { timeout: 60_000 + 10_000 * POINTS };

/** Each run has every operation and every disturbance, paired by the seed; all pairs at full scale. */
function operationsUnder(disturbance: Disturbance): string[] {
  const turn = DISTURBANCES.indexOf(disturbance) + SEED;
  return Object.keys(OPERATIONS).filter((_, index) => SCALE >= 10 || (turn + index) % DISTURBANCES.length === 0);
}

describe.each(DISTURBANCES)("server that is %s", (disturbance) => {
  test.each(operationsUnder(disturbance))(`at ${POINTS} random points of %s (seed ${SEED})`, LIMIT, async (name) => {
    const fixture = await openControl({ deadlines: DEADLINES });
    const patient = { ...fixture, driver: fixture.another({ deadlines: PATIENT }) };
    const chance = seeded(100 + DISTURBANCES.indexOf(disturbance) * 10 + name.length);
    for (let point = 0; point < POINTS; point++) {
      const target = await markedPane(patient, `t${point}`);
      const bystander = await markedPane(patient, `b${point}`);
      await connected(fixture);
      const calls = OPERATIONS[name]?.({ fixture, round: `${point}`, target, chance }) ?? [];
      const ended = Promise.all(calls.map(end));
      const looked = lookMeanwhile(fixture, bystander);
      // Failures are reported where it is awaited.
      ended.catch(() => undefined);
      await sleep(chance(SPAN_MS));
      const judge = await disturb(disturbance, { fixture, target, bystander, chance });
      await looked.stop();
      await judge(await ended);
      expect(bystander.received()).toBe("");
    }
    await patient.driver.close();
  });
});

async function end(call: Call) {
  const outcome = await call.promise.then(
    () => "done" as const,
    (error: unknown) => {
      if (!isTmpmError(error)) throw error;
      return error.effect === "none" ? ("undone" as const) : ("unknown" as const);
    },
  );
  return { call, outcome };
}

/** Polls for a pane that is never touched: it is absent only when its server has ended. */
function lookMeanwhile(fixture: TmuxFixture, bystander: MarkedPane) {
  const { identity } = bystander.pane;
  let looking = true;
  const look = async () => {
    const [found, list] = await Promise.all([fixture.driver.find(identity), fixture.driver.list()]);
    const listed = list.kind !== "present" || list.value.some((pane) => pane.identity.pane_id === identity.pane_id);
    if (found.kind === "absent" || list.kind === "absent" || !listed) expect(runs(identity.server_pid)).toBe(false);
  };
  const looked = (async () => {
    while (looking) {
      await look();
      // An immediate answer, as from a driver that gave up on a stopped server, would leave no time for anything else.
      await sleep(10);
    }
  })();
  looked.catch(() => undefined);
  return {
    stop() {
      looking = false;
      return looked;
    },
  };
}

test("the connection works again once a stopped server continues", async () => {
  const fixture = await openControl({ deadlines: { read: 1_000, mutate: 1_500 } });
  const patient = fixture.another({ deadlines: PATIENT });
  onTestFinished(() => patient.close());
  const { pane } = await markedPane({ ...fixture, driver: patient }, "one");
  await connected(fixture);
  process.kill(pane.identity.server_pid, "SIGSTOP");
  const answers = await Promise.all(Array.from({ length: 5 }, () => fixture.driver.list()));
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(["unknown"]));
  process.kill(pane.identity.server_pid, "SIGCONT");
  await eventually(
    () => fixture.driver.list(),
    ({ kind }) => kind === "present",
  );
});
