import assert from "node:assert/strict";
import type { OutputEvent, PaneInfo } from "../driver.js";
import { eventually, present, rejects } from "./expect.js";
import type { ContractFixture, Declare } from "./fixture.js";
import { create, shows } from "./sessions.js";

export function outputCases(declare: Declare): void {
  declare("output begins with the screen, has every byte at its offset, and reports the end", async (fixture) => {
    const { driver } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.lineReader() });
    await shows(fixture, { pane, text: "ready" });
    const output = await collect(fixture, pane);
    const [first] = output.events;
    assert.ok(first?.type === "screen");
    assert.equal(first.offset, 0);
    assert.equal(first.screen.lines[0], "ready");
    assert.match(Buffer.from(first.paint).toString(), /ready/);
    await driver.paste(pane.identity, "hé llo");
    await eventually(
      async () => output.text(),
      (text) => text.includes("hé llo"),
    );
    assert.deepEqual([present(await driver.find(pane.identity)).viewers, first.screen.pane.columns], [0, 80]);
    let next = 0;
    for (const event of output.events.slice(1)) {
      assert.ok(event.type === "chunk");
      assert.equal(event.offset, next);
      next += event.bytes.length;
    }
    const looked = await output.subscription.look();
    assert.deepEqual([looked.offset, looked.screen.lines[1], looked.screen.pane.columns], [next, "hé llo", 80]);
    assert.match(Buffer.from(looked.paint).toString(), /hé llo/);
    await driver.kill(pane.identity, { graceMs: 10_000 });
    await output.subscription.done;
    assert.match(output.events.at(-1)?.type ?? "", /^(?:exited|closed)$/);
  });

  declare("reports the end with exit and last screen, also to a later listener", async (fixture) => {
    const pane = await create(fixture, { id: "one", argv: fixture.programs.exit({ status: 3, output: "last words" }) });
    const early = await collect(fixture, pane);
    await early.subscription.done;
    const late = await collect(fixture, pane);
    await late.subscription.done;
    for (const { events } of [early, late]) {
      assert.equal(events[0]?.type, "screen");
      const last = events.at(-1);
      assert.ok(last?.type === "exited");
      assert.equal(last.screen.pane.exit?.status, 3);
      assert.equal(last.screen.lines[0], "last words");
    }
    assert.equal(late.events.length, 2);
  });

  declare("every listener gets all events, and none after it is closed", async (fixture) => {
    const { driver } = fixture;
    const pane = await create(fixture, { id: "one", argv: fixture.programs.lineReader() });
    await shows(fixture, { pane, text: "ready" });
    const [first, second, third] = [await collect(fixture, pane), await collect(fixture, pane), await collect(fixture, pane)];
    third.subscription.close();
    third.subscription.close();
    await third.subscription.done;
    const delivered = third.events.length;
    await driver.paste(pane.identity, "both");
    await eventually(
      async () => `${first.text()} ${second.text()}`,
      (text) => text === "both both",
    );
    first.subscription.close();
    await driver.paste(pane.identity, "more");
    await eventually(
      async () => second.text(),
      (text) => text === "bothmore",
    );
    assert.deepEqual([first.text(), third.events.length], ["both", delivered]);
    second.subscription.close();
  });

  declare("a failing listener ends its subscription with its error", async (fixture) => {
    const pane = await create(fixture, { id: "one", argv: fixture.programs.lines(1) });
    const subscription = await fixture.driver.output(pane.identity, () => {
      throw new RangeError("mine");
    });
    await assert.rejects(subscription.done, RangeError);
  });

  declare("rejects output of a missing pane, or of another server's pane", async (fixture) => {
    const { driver } = fixture;
    await create(fixture, { id: "other", argv: fixture.programs.lines(1) });
    const pane = await create(fixture, { id: "one", argv: fixture.programs.lines(1) });
    await driver.kill(pane.identity, { graceMs: 10_000 });
    await rejects(
      driver.output(pane.identity, () => undefined),
      "PANE_GONE",
    );
    await rejects(
      driver.output({ ...pane.identity, server_pid: pane.identity.server_pid + 1 }, () => undefined),
      "PANE_FOREIGN",
    );
  });
}

/** The events of a listener, once it has the screen, which includes earlier output. */
async function collect({ driver }: ContractFixture, pane: PaneInfo) {
  const events: OutputEvent[] = [];
  const subscription = await driver.output(pane.identity, (event) => void events.push(event));
  await eventually(
    async () => events,
    ({ length }) => length > 0,
  );
  const bytes = () => Buffer.concat(events.flatMap((event) => (event.type === "chunk" ? [event.bytes] : [])));
  return { events, subscription, text: () => bytes().toString() };
}
