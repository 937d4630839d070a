import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cgroupOf, parseCgroup, serverScope } from "@tmpm/processes";
import { expect, test } from "vitest";
import { present } from "../src/contract/expect.js";
import { create, shows } from "../src/contract/sessions.js";
import { openTmux, type TmuxFixture } from "./tmux-fixture.js";

/** A folder for `PATH` whose `systemd-run` records its arguments and then runs the given script. */
function pretend(fixture: TmuxFixture, script: string): NodeJS.ProcessEnv {
  const folder = join(fixture.folder, "bin");
  mkdirSync(folder, { recursive: true });
  const program = join(folder, "systemd-run");
  writeFileSync(program, `#!/bin/sh\necho "$*" >>"${fixture.folder}/runs"\n${script}\n`);
  chmodSync(program, 0o755);
  return { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, XDG_RUNTIME_DIR: fixture.folder };
}

function runsIn(fixture: TmuxFixture): string[] {
  return readFileSync(join(fixture.folder, "runs"), "utf8").trimEnd().split("\n");
}

const RUN_IN_PLACE = 'while [ "$1" != -- ]; do shift; done; shift; MADE_BY=scope exec "$@"';

test("starts a server in a scope of the user manager, with its own environment and directory", async () => {
  const fixture = await openTmux();
  const driver = fixture.another({ env: { ...pretend(fixture, RUN_IN_PLACE), TMPM_TOKEN: "canary" } });
  const one = await create({ ...fixture, driver }, { id: "one", argv: ["sleep", "1000"] });
  await create({ ...fixture, driver }, { id: "two", argv: ["sleep", "1000"] });
  const [probe, start, ...others] = runsIn(fixture);
  expect(probe).toBe("--user --scope --quiet --collect -- true");
  expect(start).toMatch(/^--user --scope --quiet --collect -- tmux -u -f \S+ -S \S+ new-session /);
  expect(others).toEqual([]);
  const environment = readFileSync(`/proc/${one.identity.server_pid}/environ`, "utf8");
  expect(environment).toContain("MADE_BY=scope");
  expect(environment).not.toContain("canary");
  await driver.close();
});

test("starts the next server without a scope once none can be made any more", async () => {
  const fixture = await openTmux();
  const driver = fixture.another({ env: pretend(fixture, RUN_IN_PLACE) });
  await create({ ...fixture, driver }, { id: "one", argv: ["sleep", "1000"] });
  await fixture.endServer();
  pretend(fixture, "echo 'Failed to connect to bus: No such file or directory' >&2; exit 1");
  const { identity } = await create({ ...fixture, driver }, { id: "two", argv: ["sleep", "1000"] });
  expect(readFileSync(`/proc/${identity.server_pid}/environ`, "utf8")).not.toContain("MADE_BY=scope");
  await driver.close();
});

test("starts the next server in a scope again", async () => {
  const fixture = await openTmux();
  const driver = fixture.another({ env: pretend(fixture, RUN_IN_PLACE) });
  await create({ ...fixture, driver }, { id: "one", argv: ["sleep", "1000"] });
  await fixture.endServer();
  await create({ ...fixture, driver }, { id: "two", argv: ["sleep", "1000"] });
  expect(runsIn(fixture).filter((run) => run.includes("new-session")).length).toBe(2);
  await driver.close();
});

test("starts a server without a scope when none can be made, and reports the reason", async () => {
  const fixture = await openTmux();
  const env = pretend(fixture, "echo 'Failed to connect to bus: No medium found' >&2; exit 1");
  expect(await serverScope(env)).toEqual({ kind: "plain", reason: "systemd-run: Failed to connect to bus: No medium found" });
  expect(await serverScope({ ...env, PATH: "/nowhere" })).toEqual({ kind: "plain", reason: "systemd-run is not installed" });
  expect(await serverScope({ PATH: process.env.PATH })).toEqual({ kind: "plain", reason: "XDG_RUNTIME_DIR is not set" });
  const driver = fixture.another({ env });
  const pane = await create({ ...fixture, driver }, { id: "one", argv: ["/bin/sh", "-c", "echo ready; exec sleep 1000"] });
  await shows({ ...fixture, driver }, { pane, text: "ready" });
  await driver.close();
});

test("this machine's user manager, if any, keeps the server out of our cgroup", async (context) => {
  const scope = await serverScope(process.env);
  if (scope.kind === "plain") {
    return context.skip(`no scope can be made here: ${scope.reason}`);
  }
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  expect(await cgroupOf(pane.identity.server_pid)).not.toBe(await cgroupOf(process.pid));
});

test("the cgroup is the service manager's, and a server reports its own", async () => {
  expect(parseCgroup("0::/user.slice/run-r1.scope\n")).toBe("/user.slice/run-r1.scope");
  expect(parseCgroup("4:memory:/a\n1:name=systemd:/system.slice/tmpm:x.service\n0::/\n")).toBe("/system.slice/tmpm:x.service");
  expect(parseCgroup("4:memory:/a\n")).toBeNull();
  expect(await cgroupOf(2 ** 30)).toBeNull();
  const fixture = await openTmux();
  const pane = await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  expect(present(await fixture.driver.server()).cgroup).toBe(await cgroupOf(pane.identity.server_pid));
});
