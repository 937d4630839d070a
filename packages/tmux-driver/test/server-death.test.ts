import { existsSync, renameSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually, present } from "../src/contract/expect.js";
import { create, recorder, shows, specOf } from "../src/contract/sessions.js";
import { openTmux } from "./tmux-fixture.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");

test("killing a pane ends processes that survived the server", async () => {
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: fixture.programs.stubborn() });
  await shows(fixture, { pane, text: "ready" });
  await fixture.endServer();
  expect((await fixture.driver.find(pane.identity)).kind).toBe("absent");
  expect(process.kill(pane.pid, 0)).toBe(true);
  expect(await fixture.driver.kill(pane.identity, { graceMs: 100 })).toEqual({ survivors: [], exit: null, lastLines: [] });
  expect(await fixture.running(pane)).toBe(0);
});

test("a new session with the same id is not a leftover of the old pane", async () => {
  const fixture = await openTmux();
  const old = await recorder(fixture, { id: "one" });
  await fixture.endServer();
  const now = await recorder(fixture, { id: "one" });
  await fixture.driver.kill(old.identity, { graceMs: 100 });
  expect(present(await fixture.driver.find(now.identity)).exit).toBeNull();
});

test("a removed socket file does not prove that the server ended, and no second server is started", async () => {
  const fixture = await openTmux();
  const { driver } = fixture;
  const pane = await recorder(fixture, { id: "one" });
  renameSync(fixture.socketPath, `${fixture.socketPath}-away`);
  expect((await driver.find(pane.identity)).kind).toBe("unknown");
  expect((await driver.list()).kind).toBe("unknown");
  await expect(driver.kill(pane.identity, { graceMs: 0 })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "none" });
  await expect(driver.create(specOf(fixture, { id: "two", argv: ["sleep", "1"] }))).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE" });
  expect(existsSync(fixture.socketPath)).toBe(false);
  renameSync(`${fixture.socketPath}-away`, fixture.socketPath);
  expect((await driver.find(pane.identity)).kind).toBe("present");
});

test("our server recreates a removed socket at a create, and after a while at an observation", async () => {
  const fixture = await openTmux({ keepsSocket: true });
  const { driver } = fixture;
  const pane = await recorder(fixture, { id: "one" });
  rmSync(fixture.socketPath);
  const second = await create(fixture, { id: "two", argv: ["sleep", "1000"] });
  expect(second.identity.server_pid).toBe(pane.identity.server_pid);
  rmSync(fixture.socketPath);
  const answer = await eventually(
    () => driver.list(),
    ({ kind }) => kind === "present",
  );
  expect(present(answer).map(({ sessionId }) => sessionId)).toEqual([pane.sessionId, second.sessionId]);
});

test("the next driver makes the server of a requested pane recreate its socket, and starts no second server", async () => {
  const fixture = await openTmux({ keepsSocket: true });
  const pane = await recorder(fixture, { id: "one" });
  rmSync(fixture.socketPath);
  const next = fixture.another();
  expect((await next.find(pane.identity)).kind).toBe("unknown");
  const second = await next.create(specOf(fixture, { id: "two", argv: ["sleep", "1000"] }));
  expect(second.identity.server_pid).toBe(pane.identity.server_pid);
  expect((await next.find(pane.identity)).kind).toBe("present");
});

test("an answer from another server does not prove that the previous one ended", async () => {
  const fixture = await openTmux();
  const pane = await recorder(fixture, { id: "one" });
  const away = `${fixture.socketPath}-away`;
  renameSync(fixture.socketPath, away);
  const next = fixture.another();
  const second = await next.create(specOf(fixture, { id: "two", argv: ["sleep", "1000"] }));
  expect(second.identity.server_pid).not.toBe(pane.identity.server_pid);
  expect(await next.find(pane.identity)).toMatchObject({ kind: "unknown", error: { code: "TMUX_UNRESPONSIVE" } });
  await expect(next.kill(pane.identity, { graceMs: 0 })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "none" });
  process.kill(pane.identity.server_pid, "SIGTERM");
  await eventually(
    () => next.find(pane.identity),
    ({ kind }) => kind === "absent",
  );
});

test("a create that meets a server shutting down starts the next one", { timeout: 60_000 }, async () => {
  const fixture = await openTmux();
  for (let round = 0; round < (scale < 10 ? scale : 2); round++) {
    const ids = Array.from({ length: 2 }, (_, index) => `r${round}-${index}`);
    const panes = [];
    for (const id of ids) panes.push(await create(fixture, { id, argv: ["sleep", "1000"] }));
    await fixture.tmux("kill-server");
    const next = await create(fixture, { id: `next-${round}`, argv: ["sleep", "1000"] });
    expect(next.identity.server_pid).not.toBe(panes[0]?.identity.server_pid);
    await fixture.tmux("kill-server");
  }
});
