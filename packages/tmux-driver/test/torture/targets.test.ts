import { expect, test } from "vitest";
import { eventually } from "../../src/contract/expect.js";
import { specOf } from "../../src/contract/sessions.js";
import { connected, openControl } from "./control-fixture.js";
import { rawReader } from "./raw-reader.js";

/** Prefixes of each other, and names that tmux reads as an id, a position or an exact match. */
const NAMES = ["a", "a-1", "a-10", "a-100", "a-1-", "A", "0", "1", "a_1"];
const REFUSED = ["$1", "%0", "@0", "=a", "=x", "+1", "-a", "!", "^", "{last}", "~", "a*", "a?", "[a]", "", ".", "a b", "a\nb"];

test("names that tmux could match to another session reach only their own", { timeout: 60_000 }, async () => {
  const fixture = await openControl();
  const { driver } = fixture;
  const readers = [];
  for (const name of NAMES) readers.push({ name, ...(await rawReader(fixture, { id: name })) });
  await connected(fixture);
  expect(new Set(readers.map(({ pane }) => pane.identity.pane_id)).size).toBe(NAMES.length);
  for (const { name, pane } of readers) {
    await driver.paste(pane.identity, `<${name}>`);
    await driver.keys(pane.identity, ["x"]);
  }
  for (const reader of readers) {
    await reader.reaches(`<${reader.name}>x`.length);
    expect((await reader.bytes()).toString()).toBe(`<${reader.name}>x`);
  }
  for (const name of REFUSED) {
    await expect(driver.create({ ...specOf(fixture, { id: "odd", argv: ["true"] }), tmuxName: name }), name).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  }
  for (const [index, { pane }] of readers.entries()) {
    expect((await driver.kill(pane.identity, { graceMs: 2000 })).survivors).toEqual([]);
    const left = await eventually(
      async () => (await fixture.tmux("list-panes", "-a", "-F", "#{pane_id}")).split("\n").filter((id) => id !== ""),
      (ids) => !ids.includes(pane.identity.pane_id),
    );
    for (const later of readers.slice(index + 1)) expect(left).toContain(later.pane.identity.pane_id);
  }
});

test("an id of another server, or an invented one, reaches no pane", { timeout: 30_000 }, async () => {
  const fixture = await openControl();
  const { driver } = fixture;
  const reader = await rawReader(fixture, { id: "a" });
  await connected(fixture);
  const { identity } = reader.pane;
  const others = [
    { ...identity, pane_id: "%99" },
    { ...identity, server_pid: identity.server_pid + 1 },
    { ...identity, server_start: identity.server_start - 1 },
    ...["a", "=a", "a:", "$0", "@0", "", "%", ":.0", "{last}"].map((pane_id) => ({ ...identity, pane_id })),
  ];
  for (const wrong of others) {
    await expect(driver.paste(wrong, "wrong"), wrong.pane_id).rejects.toMatchObject({ effect: "none" });
    await expect(driver.keys(wrong, ["w"]), wrong.pane_id).rejects.toMatchObject({ effect: "none" });
    await driver.kill(wrong, { graceMs: 0 }).catch(() => undefined);
  }
  await driver.paste(identity, "right");
  await reader.reaches(5);
  expect((await reader.bytes()).toString()).toBe("right");
});
