import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../src/contract/expect.js";
import { receives, recorder, specOf } from "../src/contract/sessions.js";
import { openTmux } from "./tmux-fixture.js";

test("twenty concurrent creates by two drivers make one server with twenty sessions", { timeout: 60_000 }, async () => {
  const fixture = await openTmux();
  const other = fixture.another();
  const specs = Array.from({ length: 20 }, (_, index) => specOf(fixture, { id: `s${index}`, argv: ["sleep", "1000"] }));
  const panes = await Promise.all(specs.map((spec, index) => (index % 2 === 0 ? fixture.driver : other).create(spec)));
  expect(new Set(panes.map(({ identity }) => identity.server_pid)).size).toBe(1);
  expect(new Set(panes.map(({ identity }) => identity.pane_id)).size).toBe(20);
  expect(
    present(await fixture.driver.list())
      .map(({ sessionId }) => sessionId)
      .sort(),
  ).toEqual(specs.map(({ sessionId }) => sessionId).sort());
  await expect.poll(() => readdirSync(join(fixture.folder, "state"))).toEqual(["tmux.conf"]);
  await other.close();
});

test("exactly one of concurrent creates with one name succeeds", async () => {
  const fixture = await openTmux();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, index) =>
      fixture.driver.create({ ...specOf(fixture, { id: `s${index}`, argv: ["sleep", "1000"] }), tmuxName: "same" }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "NAME_TAKEN", effect: "none" });
});

test("large concurrent pastes into one pane do not mix", async () => {
  const fixture = await openTmux();
  const other = fixture.another();
  const pane = await recorder(fixture, { id: "one" });
  const texts = Array.from({ length: 6 }, (_, index) => `${String(index).repeat(30_000)}\n`);
  await Promise.all(texts.map((text, index) => (index % 2 === 0 ? fixture.driver : other).paste(pane.identity, text)));
  const received = await receives(fixture, { id: "one", expected: texts.join("") });
  expect(
    received
      .split("\n")
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .sort(),
  ).toEqual(texts);
  await other.close();
});
