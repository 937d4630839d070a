import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../src/contract/expect.js";
import { create, specOf } from "../src/contract/sessions.js";
import { openTmux } from "./tmux-fixture.js";

test("server, panes and argv contain none of our secrets, and a session's values are only in its program", async () => {
  const fixture = await openTmux({ env: { ...process.env, TMPM_TOKEN: "canary-token", ANTHROPIC_API_KEY: "canary-key", TMUX: "/x,1,2" } });
  const spec = specOf(fixture, { id: "one", argv: ["sleep", "1000"] });
  const pane = await fixture.driver.create({ ...spec, env: { ...spec.env, MY_SECRET: "canary-own" } });
  const environment = await eventually(
    async () => readFileSync(`/proc/${pane.pid}/environ`, "utf8"),
    (text) => text.includes("TMPM_SESSION_ID"),
  );
  expect(environment).not.toMatch(/canary-(?:token|key)/);
  expect(environment).toContain("MY_SECRET=canary-own");
  const server = pane.identity.server_pid;
  expect(readFileSync(`/proc/${server}/environ`, "utf8")).not.toMatch(/canary|(?:^|\0)TMUX=/);
  expect(readFileSync(`/proc/${server}/cmdline`, "utf8")).not.toContain("canary");
  expect(readFileSync(`/proc/${pane.pid}/cmdline`, "utf8")).toBe("sleep\x001000\0");
  for (const scope of [["-g"], ["-t", "=one:"]]) expect(await fixture.tmux("show-environment", ...scope)).not.toContain("canary");
});

test("a new server gets our options, and the user's keys and mouse setting", async () => {
  const fixture = await openTmux();
  writeFileSync(
    join(fixture.folder, ".tmux.conf"),
    "set -g prefix C-a\nsetw -g mode-keys vi\nset -g mouse on\nset -g remain-on-exit off\nrun-shell 'touch ran'\n",
  );
  const driver = fixture.another({ env: { ...process.env, HOME: fixture.folder } });
  await driver.create(specOf(fixture, { id: "one", argv: ["sleep", "1000"] }));
  const option = async (flags: string, name: string) => (await fixture.tmux("show-options", flags, name)).trim();
  expect(await option("-gv", "prefix")).toBe("C-a");
  expect(await option("-gwv", "mode-keys")).toBe("vi");
  expect(await option("-gv", "mouse")).toBe("on");
  expect(await option("-gwv", "remain-on-exit")).toBe("off");
  expect((await fixture.tmux("show-options", "-pv", "-t", "=one:", "remain-on-exit")).trim()).toBe("on");
  expect(await option("-sv", "set-clipboard")).toBe("external");
  expect(await option("-sv", "exit-empty")).toBe("off");
  expect(await option("-gwv", "allow-rename")).toBe("off");
  expect(await option("-gv", "update-environment")).toBe("");
  expect(await fixture.tmux("list-keys", "-T", "prefix", "C-a")).toContain("send-prefix");
  expect(() => statSync(join(fixture.folder, "ran"))).toThrow();
  expect(statSync(join(fixture.folder, "state")).mode & 0o777).toBe(0o700);
  await driver.close();
});

test("loads the user's whole configuration on request, except where our sessions need otherwise", async () => {
  const fixture = await openTmux();
  writeFileSync(join(fixture.folder, ".tmux.conf"), "set -g status-left 'mine'\nset -g remain-on-exit off\nset -g no-such-option x\n");
  const driver = fixture.another({ env: { ...process.env, HOME: fixture.folder }, userConfig: "all" });
  await driver.create(specOf(fixture, { id: "one", argv: ["sleep", "1000"] }));
  expect((await fixture.tmux("show-options", "-gv", "status-left")).trim()).toBe("mine");
  expect((await fixture.tmux("show-options", "-gwv", "remain-on-exit")).trim()).toBe("off");
  expect((await fixture.tmux("show-options", "-pv", "-t", "=one:", "remain-on-exit")).trim()).toBe("on");
  await driver.close();
});

test("rejects a folder readable by others", async () => {
  const fixture = await openTmux();
  const open = join(fixture.folder, "open");
  mkdirSync(open, { mode: 0o755 });
  const driver = fixture.another({ stateDir: open });
  await expect(driver.create(specOf(fixture, { id: "one", argv: ["true"] }))).rejects.toMatchObject({ code: "UNSAFE_PATH" });
});

test("launch files are gone once their programs run, and leftovers are removed at the start", async () => {
  const fixture = await openTmux();
  const state = join(fixture.folder, "state");
  mkdirSync(state, { mode: 0o700 });
  for (const name of ["launch-old", "text-old", "launch-new", "other-old"]) writeFileSync(join(state, name), "");
  for (const name of ["launch-old", "text-old", "other-old"]) utimesSync(join(state, name), 1, 1);
  await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  await eventually(
    async () => readdirSync(state).sort(),
    (names) => names.join() === "launch-new,other-old,tmux.conf",
  );
});
