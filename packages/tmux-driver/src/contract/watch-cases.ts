import assert from "node:assert/strict";
import type { ServerEvent } from "../driver.js";
import { eventually } from "./expect.js";
import type { Declare } from "./fixture.js";
import { create, idOf, recorder } from "./sessions.js";

export function watchCases(declare: Declare): void {
  declare("a listener first gets look, then events", async (fixture) => {
    const { driver } = fixture;
    const events: ServerEvent[] = [];
    const has = (type: ServerEvent["type"], id?: string) =>
      eventually(
        async () => events,
        (all) =>
          all.some(
            (event) => event.type === type && (id === undefined || (event.type !== "look" && event.sessionId === idOf(fixture, id))),
          ),
      );
    const subscription = driver.watch((event) => events.push(event));
    await has("look");
    assert.equal(events[0]?.type, "look");
    const pane = await create(fixture, { id: "one", argv: fixture.programs.exit({ status: 0, output: "x" }) });
    await has("opened", "one");
    await has("exited", "one");
    await fixture.rename(pane, "another");
    await has("renamed", "one");
    assert.ok(events.some((event) => event.type === "renamed" && event.tmuxName === "another"));
    await driver.kill(pane.identity, { graceMs: 100 });
    await has("closed", "one");
    const about = events.flatMap((event) => (event.type === "look" ? [] : [event.pane]));
    for (const identity of about) assert.deepEqual(identity, pane.identity);
    subscription.close();
    subscription.close();
  });

  declare("a closed subscription gets no events, and others still do", async (fixture) => {
    const { driver } = fixture;
    const closed: ServerEvent[] = [];
    const open: ServerEvent[] = [];
    const first = driver.watch((event) => closed.push(event));
    const second = driver.watch((event) => open.push(event));
    first.close();
    await recorder(fixture, { id: "one" });
    await eventually(
      async () => open,
      (events) => events.some(({ type }) => type === "opened") || events.at(-1)?.type === "look",
    );
    await recorder(fixture, { id: "two" });
    await eventually(
      async () => open,
      (events) => events.some((event) => event.type === "opened" && event.sessionId === idOf(fixture, "two")),
    );
    assert.deepEqual(closed, []);
    second.close();
  });
}
