import { afterEach, describe, expect, test } from "vitest";
import { STEPS, type Step } from "../../src/index.js";
import { conversationFixture } from "../fixtures/conversation-fixture.js";
import { fakeFixture } from "../fixtures/fake-fixture.js";
import { type HostFixture, panesOf, recordsOf } from "../fixtures/host-fixture.js";
import { ptyFixture } from "../fixtures/pty-fixture.js";
import { ALL_HOSTS, oneIn } from "../fixtures/sampled-hosts.js";
import { tmuxFixture } from "../fixtures/tmux-fixture.js";

const open = new Set<HostFixture>();
afterEach(async () => {
  for (const fixture of open) await fixture.dispose();
  open.clear();
});

/** The operation that reaches a step, on a session in its initial state. */
const OPERATIONS: Readonly<
  Record<
    string,
    { readonly from: "nothing" | "active" | "stopped" | "removed" | "paused"; readonly run: (fixture: HostFixture) => Promise<unknown> }
  >
> = {
  create: { from: "nothing", run: (fixture) => fixture.sessions.create({ ...fixture.job, name: "one", cwd: fixture.cwd }) },
  stop: { from: "active", run: (fixture) => fixture.sessions.stop({ session: "one" }) },
  resume: { from: "stopped", run: (fixture) => fixture.sessions.resume({ session: "one" }) },
  restart: { from: "active", run: (fixture) => fixture.sessions.restart({ session: "one" }) },
  pause: { from: "active", run: (fixture) => fixture.sessions.pause({ session: "one", interrupt: true }) },
  unpause: { from: "paused", run: (fixture) => fixture.sessions.resume({ session: "one" }) },
  rename: { from: "active", run: (fixture) => fixture.sessions.rename({ session: "one", name: "two" }) },
  reactivate: { from: "removed", run: (fixture) => fixture.sessions.reactivate({ session: "one" }) },
  delete: { from: "stopped", run: (fixture) => fixture.sessions.delete({ session: "one", purge: true }) },
};

/** Possible states of a session after the operation was interrupted and everything has settled; only a permanent deletion leaves none. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  create: ["active", "errored"],
  stop: ["stopped", "active"],
  resume: ["active", "errored", "stopped"],
  restart: ["active"],
  pause: ["active"],
  unpause: ["active"],
  rename: ["active"],
  reactivate: ["decommissioned", "stopped"],
  delete: ["stopped", "deleted", "gone"],
};

/** Only a session with a workspace of ours reaches these. */
const OF_WORKSPACES: ReadonlySet<Step> = new Set(["create.planned", "create.provisioned", "create.preparing", "create.prepared"]);

const MINE = STEPS.filter((step) => operationOf(step) in OPERATIONS && !OF_WORKSPACES.has(step));

function operationOf(step: Step): string {
  return step.slice(0, step.indexOf("."));
}

const FAULTS = ["throw", "EIO"] as const;
/** The parts of the store that fail once each. */
const ARMED = ["update", "delete", "archive", "unarchive"] as const;
const cases = MINE.flatMap((step) => FAULTS.map((fault) => [step, fault] as const));

async function prepare(fixture: HostFixture, from: string): Promise<void> {
  if (from === "nothing") return;
  await fixture.sessions.create({ ...fixture.job, name: "one", cwd: fixture.cwd });
  if (from === "stopped") await fixture.sessions.stop({ session: "one" });
  if (from === "removed") await fixture.sessions.remove({ session: "one" });
  if (from === "paused") await fixture.sessions.pause({ session: "one" });
}

/** `throw` ends the operation at the step, as a fault in tmpm would; `EIO` fails the next write. */
function arm(fixture: HostFixture, { step, fault }: { readonly step: Step; readonly fault: (typeof FAULTS)[number] }): () => boolean {
  let reached = false;
  fixture.onStep((now) => {
    if (now !== step || reached) return;
    reached = true;
    const error = new Error(`${fault} at ${step}`);
    if (fault === "throw") throw error;
    for (const method of ARMED) fixture.store.failNext(method, error);
  });
  return () => reached;
}

/** Returns the number of checks until nothing was unfinished. */
async function recovers(
  fixture: HostFixture,
  { step, fault }: { readonly step: Step; readonly fault: (typeof FAULTS)[number] },
): Promise<number> {
  const operation = operationOf(step);
  await prepare(fixture, OPERATIONS[operation]?.from ?? "nothing");
  const reached = arm(fixture, { step, fault });
  await OPERATIONS[operation]?.run(fixture).catch((error: unknown) => expect(String(error)).toContain(fault));
  expect(reached()).toBe(true);
  fixture.onStep(null);
  let attempts = 0;
  await expect
    .poll(async () => {
      attempts += 1;
      return (await settle(fixture)).intents;
    })
    .toEqual([]);
  const { records, panes } = await settle(fixture);
  expect(ENDS[operation]).toContain(records[0]?.state ?? "gone");
  expect(records.length).toBeLessThanOrEqual(1);
  const live = records.flatMap((record) => (record.state === "active" ? [record] : []));
  expect(panes.map(({ sessionId, identity }) => [sessionId, identity])).toEqual(live.map(({ id, pane }) => [id, pane]));
  if (fixture.driver.rename !== undefined) expect(panes.map(({ tmuxName }) => tmuxName)).toEqual(live.map(({ tmux_name }) => tmux_name));
  return attempts;
}

async function settle(fixture: HostFixture) {
  await fixture.restarted().reconcile();
  const records = [...(await recordsOf(fixture)).values()];
  return { records, panes: await panesOf(fixture), intents: records.flatMap(({ intent }) => intent ?? []) };
}

test("operations have enough points of interruption", () => {
  expect(STEPS.length).toBeGreaterThanOrEqual(25);
  expect(new Set(STEPS).size).toBe(STEPS.length);
  expect(new Set(MINE.map(operationOf))).toEqual(new Set(Object.keys(OPERATIONS)));
});

describe("on the fake, nothing is unknown, unfinished or lost after", () => {
  test.each(cases)("%s with %s", async (step, fault) => {
    const fixture = await fakeFixture();
    open.add(fixture);
    // Armed faults that did not occur yet may still hit the first observations.
    expect(await recovers(fixture, { step, fault })).toBeLessThanOrEqual(fault === "EIO" ? 1 + ARMED.length : 1);
  });
});

/** Each on its own host: by default a sample of the steps, each of which costs sessions and some of them processes of ours. */
const REAL = [
  { on: "a real tmux", make: () => tmuxFixture(), every: ALL_HOSTS ? 1 : 15 },
  { on: "PTYs of ours", make: () => ptyFixture(), every: ALL_HOSTS ? 1 : cases.length },
  { on: "conversations", make: conversationFixture, every: ALL_HOSTS ? 1 : cases.length },
] as const;

describe.each(REAL)("on $on, nothing is unknown, unfinished or lost after", ({ make, every }) => {
  const declare = oneIn(every);
  for (const [step, fault] of cases) {
    declare(`${step} with ${fault}`, async () => {
      const fixture = await make();
      open.add(fixture);
      await recovers(fixture, { step, fault });
    });
  }
});
