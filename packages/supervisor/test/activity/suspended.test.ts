import { expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.js";

test("a suspended program blocks its session with a hint how to continue it, whatever its screen shows", async () => {
  let isSuspended = false;
  const l = fixture({ ports: { isSuspended: () => isSuspended } });
  await l.sessions.create({ agent: "composer", cwd: "/w", name: "demo" });
  l.sessions.start();
  const read = async () => {
    const { activity, hint } = await l.sessions.show({ session: "demo" });
    return { state: activity.state, source: activity.source, hint };
  };
  await expect.poll(read).toMatchObject({ state: "idle" });
  // Its screen has settled, and is not read again while it is unchanged.
  const observedAt = async () => Date.parse((await l.sessions.show({ session: "demo" })).activity.observed_at ?? "");
  const settled = (await observedAt()) + 60_000;
  await expect.poll(observedAt).toBeGreaterThan(settled);
  isSuspended = true;
  await expect.poll(read).toEqual({
    state: "blocked",
    source: "process",
    hint: expect.stringMatching(/^Its program is suspended; `kill -CONT \d+` continues it\.$/),
  });
  isSuspended = false;
  // A continued program redraws its screen.
  await l.sessions.keys({ session: "demo", keys: ["x"] });
  await expect.poll(read).toMatchObject({ state: "idle", hint: null });
  await l.sessions.close();
});
