import { setTimeout as sleep } from "node:timers/promises";
import { processTable } from "@tmpm/processes";
import { expect, test } from "vitest";
import { eventually } from "../src/contract/expect.js";
import { idOf, recorder, specOf } from "../src/contract/sessions.js";
import { openTmux } from "./tmux-fixture.js";

const DEADLINES = { read: 2_000, mutate: 3_000 };

test("a stopped server makes every call unknown within its deadline, changes nothing, and works again later", async () => {
  const fixture = await openTmux();
  const driver = fixture.another({ deadlines: DEADLINES });
  const pane = await recorder(fixture, { id: "one" });
  const { identity } = pane;
  process.kill(identity.server_pid, "SIGSTOP");
  const outcomeOf = (call: Promise<unknown>) => call.catch((error: unknown) => ({ error }));
  const reads = () => [
    driver.list(),
    driver.find(identity),
    driver.server(),
    driver.capture(identity),
    driver.list(),
    driver.find(identity),
  ];
  const effects = () => [
    driver.keys(identity, ["a"]),
    driver.kill(identity, { graceMs: 100 }),
    driver.create(specOf(fixture, { id: "two", argv: ["sleep", "1"] })),
  ];
  const first = await Promise.all([...reads(), ...effects()].map(outcomeOf));
  for (const outcome of first) expect(outcome).toMatchObject({ error: { code: "TMUX_UNRESPONSIVE" } });
  // The circuit is open: the other calls are answered at once and start no client.
  for (const outcome of await Promise.all(Array.from({ length: 20 }, () => driver.list()))) {
    expect(outcome).toMatchObject({ kind: "unknown", error: { code: "TMUX_UNRESPONSIVE", effect: "none" } });
  }
  const clients = (await processTable().all()).filter(({ parent, command }) => parent === process.pid && command.startsWith("tmux"));
  expect(clients.filter(({ zombie }) => !zombie).length).toBeLessThanOrEqual(4);
  process.kill(identity.server_pid, "SIGCONT");
  const answer = await eventually(
    () => driver.find(identity),
    ({ kind }) => kind !== "unknown",
  );
  expect(answer).toMatchObject({ kind: "present", value: { exit: null, tmuxName: "one" } });
  await fixture.driver.paste(identity, "z");
  const received = await eventually(
    () => fixture.received(idOf(fixture, "one")),
    (text) => text.includes("z"),
  );
  // The keys of the timed-out call may arrive late, as `effect: unknown` states.
  expect(received).toMatch(/^a?za?$/);
  await driver.close();
});

test("a call queued behind stalled ones ends by its own deadline", async () => {
  const fixture = await openTmux();
  const driver = fixture.another({ deadlines: { read: 1_000, mutate: 50_000 } });
  const panes = [];
  for (const id of ["a", "b", "c", "d"]) panes.push(await recorder(fixture, { id }));
  process.kill(panes[0]?.identity.server_pid ?? 0, "SIGSTOP");
  let ended = 0;
  const slow = panes.map(({ identity }) => driver.keys(identity, ["x"]).then(() => ended++));
  await sleep(50);
  expect((await driver.list()).kind).toBe("unknown");
  expect(ended).toBe(0);
  process.kill(panes[0]?.identity.server_pid ?? 0, "SIGCONT");
  await Promise.all(slow);
  await driver.close();
});
