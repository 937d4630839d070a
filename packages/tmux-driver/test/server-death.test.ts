import { existsSync, renameSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually, present } from "../src/contract/expect.js";
import { create, recorder, shows, specOf } from "../src/contract/sessions.js";
import { openTmux } from "./tmux-harness.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");

test("what outlives a killed server is ended by killing its pane", async () => {
  const harness = await openTmux();
  const pane = await create(harness, { id: "one", argv: harness.programs.stubborn() });
  await shows(harness, { pane, text: "ready" });
  await harness.endServer();
  expect((await harness.driver.find(pane.identity)).kind).toBe("absent");
  expect(process.kill(pane.pid, 0)).toBe(true);
  expect(await harness.driver.kill(pane.identity, { graceMs: 100 })).toEqual({ survivors: [], exit: null, lastLines: [] });
  expect(await harness.running(pane)).toBe(0);
});

test("a new session with the same id is not what an old pane left over", async () => {
  const harness = await openTmux();
  const old = await recorder(harness, { id: "one" });
  await harness.endServer();
  const now = await recorder(harness, { id: "one" });
  await harness.driver.kill(old.identity, { graceMs: 100 });
  expect(present(await harness.driver.find(now.identity)).exit).toBeNull();
});

test("a removed socket file is not proof that the server ended, and no second server is started beside it", async () => {
  const harness = await openTmux();
  const { driver } = harness;
  const pane = await recorder(harness, { id: "one" });
  renameSync(harness.socketPath, `${harness.socketPath}-away`);
  expect((await driver.find(pane.identity)).kind).toBe("unknown");
  expect((await driver.list()).kind).toBe("unknown");
  await expect(driver.kill(pane.identity, { graceMs: 0 })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "none" });
  await expect(driver.create(specOf(harness, { id: "two", argv: ["sleep", "1"] }))).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE" });
  expect(existsSync(harness.socketPath)).toBe(false);
  renameSync(`${harness.socketPath}-away`, harness.socketPath);
  expect((await driver.find(pane.identity)).kind).toBe("present");
});

test("a server of ours makes a removed socket anew at a create, and after a while at a look", async () => {
  const harness = await openTmux({ keepsSocket: true });
  const { driver } = harness;
  const pane = await recorder(harness, { id: "one" });
  rmSync(harness.socketPath);
  const second = await create(harness, { id: "two", argv: ["sleep", "1000"] });
  expect(second.identity.server_pid).toBe(pane.identity.server_pid);
  rmSync(harness.socketPath);
  const answer = await eventually(
    () => driver.list(),
    ({ kind }) => kind === "present",
  );
  expect(present(answer).map(({ sessionId }) => sessionId)).toEqual([pane.sessionId, second.sessionId]);
});

test("the next driver makes a removed socket anew for the server of a pane that it is asked for, and starts none beside it", async () => {
  const harness = await openTmux({ keepsSocket: true });
  const pane = await recorder(harness, { id: "one" });
  rmSync(harness.socketPath);
  const next = harness.another();
  expect((await next.find(pane.identity)).kind).toBe("unknown");
  const second = await next.create(specOf(harness, { id: "two", argv: ["sleep", "1000"] }));
  expect(second.identity.server_pid).toBe(pane.identity.server_pid);
  expect((await next.find(pane.identity)).kind).toBe("present");
});

test("a server that answers in the place of another does not prove that the other one ended", async () => {
  const harness = await openTmux();
  const pane = await recorder(harness, { id: "one" });
  const away = `${harness.socketPath}-away`;
  renameSync(harness.socketPath, away);
  const next = harness.another();
  const second = await next.create(specOf(harness, { id: "two", argv: ["sleep", "1000"] }));
  expect(second.identity.server_pid).not.toBe(pane.identity.server_pid);
  expect(await next.find(pane.identity)).toMatchObject({ kind: "unknown", error: { code: "TMUX_UNRESPONSIVE" } });
  await expect(next.kill(pane.identity, { graceMs: 0 })).rejects.toMatchObject({ code: "TMUX_UNRESPONSIVE", effect: "none" });
  process.kill(pane.identity.server_pid, "SIGTERM");
  await eventually(
    () => next.find(pane.identity),
    ({ kind }) => kind === "absent",
  );
});

test("a create that meets a server on its way out starts the next one", { timeout: 60_000 }, async () => {
  const harness = await openTmux();
  for (let round = 0; round < (scale < 10 ? scale : 2); round++) {
    const ids = Array.from({ length: 2 }, (_, index) => `r${round}-${index}`);
    const panes = [];
    for (const id of ids) panes.push(await create(harness, { id, argv: ["sleep", "1000"] }));
    await harness.tmux("kill-server");
    const next = await create(harness, { id: `next-${round}`, argv: ["sleep", "1000"] });
    expect(next.identity.server_pid).not.toBe(panes[0]?.identity.server_pid);
    await harness.tmux("kill-server");
  }
});
