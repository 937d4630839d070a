import assert from "node:assert/strict";
import type { ServerEvent } from "@tmpm/core";
import { HOST_VERBS, type HostVerb, type SessionHost } from "../host.js";
import { create, eventually, idOf, present } from "./expect.js";
import type { Declare } from "./fixture.js";

const NEEDED = {
  adopt: ["adopt", "release"],
  attach: ["attachCommand"],
  keys: ["keys"],
  type: ["paste"],
  stream: ["output"],
  replay: ["replay"],
  resize: ["resize"],
} as const satisfies Record<HostVerb, readonly (keyof SessionHost)[]>;

export function lookCases(declare: Declare): void {
  declare("every verb is either implemented or ruled out with a reason", async ({ host }) => {
    for (const verb of HOST_VERBS) {
      const cannot = host.cannot[verb];
      for (const member of NEEDED[verb]) assert.equal(host[member] === undefined, cannot !== undefined, `${verb}: ${member}`);
      if (cannot !== undefined) assert.match(cannot.why, /^\S.{10,}[^.\s]$/u);
    }
    assert.equal(host.conversation !== undefined, host.cannot.type !== undefined, "a host without typing has a conversation");
  });

  declare("checks many at once, and a missing one does not affect the others", async (fixture) => {
    const { host, programs } = fixture;
    const [one, two, gone] = [
      await create(fixture, { id: "one", argv: programs.waiting() }),
      await create(fixture, { id: "two", argv: programs.waiting() }),
      await create(fixture, { id: "three", argv: programs.waiting() }),
    ];
    await host.kill(gone.identity, { graceMs: 1_000 });
    const answers = await host.captureMany([gone.identity, two.identity, one.identity]);
    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ["absent", "present", "present"],
    );
    assert.equal(present(answers[1]).pane.sessionId, two.sessionId);
    assert.deepEqual(await host.captureMany([]), []);
    const directories = () => host.directories([gone.identity, one.identity]);
    assert.deepEqual(await eventually(directories, ([, path]) => path === fixture.cwd), [null, fixture.cwd]);
  });

  declare("a listener first gets look, then events, and nothing once closed", async (fixture) => {
    const { host, programs } = fixture;
    const events: ServerEvent[] = [];
    const closed: ServerEvent[] = [];
    const subscription = host.watch((event) => events.push(event));
    host.watch((event) => closed.push(event)).close();
    const has = (type: ServerEvent["type"]) =>
      eventually(
        async () => events,
        (all) => all.some((event) => event.type === type && (event.type === "look" || event.sessionId === idOf(fixture, "one"))),
      );
    await has("look");
    assert.equal(events[0]?.type, "look");
    const reported = closed.length;
    const pane = await create(fixture, { id: "one", argv: programs.exit(0) });
    await has("opened");
    await has("exited");
    await host.kill(pane.identity, { graceMs: 200 });
    await has("closed");
    for (const event of events) if (event.type !== "look") assert.deepEqual(event.pane, pane.identity);
    assert.equal(closed.length, reported);
    subscription.close();
    subscription.close();
  });
}
