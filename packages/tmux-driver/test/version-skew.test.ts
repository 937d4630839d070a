import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessInfo } from "@tmpm/processes";
import { expect, onTestFinished, test } from "vitest";
import { present } from "../src/contract/expect.js";
import { create } from "../src/contract/sessions.js";
import { mayBeBound } from "../src/server/bound-socket.js";
import { tmuxProgram } from "../src/server/tmux-program.js";
import { tmuxHost } from "../src/tmux-host.js";
import { TMUX } from "./tested-tmux.js";
import { openTmux } from "./tmux-fixture.js";

test("a server older than the installed program is distinguished, each with its version", async () => {
  const fixture = await openTmux();
  await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  const same = present(await fixture.driver.server());
  expect(same.programVersion).toBe(same.version);
  const driver = fixture.another({ tmux: speaking(fixture.folder, "3.7b") });
  expect(present(await driver.server())).toMatchObject({ version: same.version, programVersion: "3.7b" });
  await driver.close();
});

test("a program that is missing or too old cannot host sessions, with the reason", async () => {
  const fixture = await openTmux();
  const availability = async (tmux: string) => {
    const driver = fixture.another({ tmux });
    const found = await tmuxHost({ driver }).available();
    await driver.close();
    return found;
  };
  const old = { kind: "missing", reason: "tmux 3.1c is too old", hint: "Install tmux 3.2a or newer." };
  expect(await availability(speaking(fixture.folder, "3.1c"))).toEqual(old);
  expect(await availability(speaking(fixture.folder, "3.2"))).toMatchObject({ kind: "missing" });
  expect(await availability(speaking(fixture.folder, "3.2a"))).toEqual({ kind: "available", detail: "no server runs yet" });
  expect(await availability(join(fixture.folder, "none"))).toMatchObject({ kind: "missing", reason: "tmux is not installed" });
  await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  expect(await availability(speaking(fixture.folder, "3.1c"))).toEqual(old);
});

test("without the program, a terminal is gone once its server's process is, and unknown before", async () => {
  const fixture = await openTmux();
  const { identity } = await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  const without = fixture.another({ tmux: join(fixture.folder, "none") });
  expect(await without.find(identity)).toMatchObject({ kind: "unknown", error: { code: "TMUX_NOT_FOUND" } });
  expect([await without.isServed(), await tmuxHost({ driver: without }).provenEmpty()]).toEqual([true, false]);
  await fixture.endServer();
  expect([await without.isServed(), await tmuxHost({ driver: without }).provenEmpty()]).toEqual([false, true]);
  expect(await without.find(identity)).toMatchObject({ kind: "absent" });
  expect(await without.kill(identity, { graceMs: 100 })).toMatchObject({ survivors: [] });
  await without.close();
});

test("without the program, a removed socket file does not prove that its server has ended", async () => {
  const fixture = await openTmux();
  await create(fixture, { id: "one", argv: ["sleep", "1000"] });
  rmSync(fixture.socketPath);
  const link = `${fixture.folder}-link`;
  symlinkSync(fixture.folder, link);
  onTestFinished(() => rmSync(link));
  for (const socket of [fixture.socketPath, join(link, "s")]) {
    const without = fixture.another({ tmux: join(fixture.folder, "none"), socket: { path: socket } });
    expect([await without.isServed(), await tmuxHost({ driver: without }).provenEmpty()]).toEqual([true, false]);
    await without.close();
  }
  expect(await fixture.driver.isServed()).toBe(true);
  await fixture.endServer();
  expect(await fixture.driver.isServed()).toBe(false);
});

test("where the system does not list sockets, any tmux process may listen", async () => {
  const row = {
    pid: 7,
    parent: 1,
    group: 7,
    session: 7,
    foregroundGroup: 0,
    start: "1",
    startedAt: 1,
    zombie: false,
    command: "/opt/bin/tmux",
  };
  const found = (all: readonly ProcessInfo[]) => mayBeBound({ socket: "/none/s", processes: { all: async () => all }, platform: "darwin" });
  expect(await found([row])).toBe(true);
  expect(
    await found([
      { ...row, zombie: true },
      { ...row, command: "sh" },
    ]),
  ).toBe(false);
});

test("a protocol mismatch between program and server is reported, and the server is not absent", async () => {
  const fixture = await openTmux();
  const skewed = join(fixture.folder, "tmux-skewed");
  writeFileSync(
    skewed,
    '#!/bin/sh\n[ "$1" = -V ] && { echo tmux 3.7b; exit; }\necho "protocol version mismatch (client 9, server 8)" >&2\nexit 1\n',
  );
  chmodSync(skewed, 0o755);
  const driver = fixture.another({ tmux: skewed });
  const answer = await driver.server();
  expect(answer).toMatchObject({ kind: "unknown", error: { code: "TMUX_FAILED", effect: "none" } });
  expect(answer.kind === "unknown" && answer.error.message).toContain("differ in version");
  expect(answer.kind === "unknown" && answer.error.hint).not.toBeNull();
  await driver.close();
});

test("queries the program's version again after a minute, and after a failure", async () => {
  const fixture = await openTmux();
  let now = 0;
  const path = join(fixture.folder, "tmux-changing");
  const become = (version: string) => {
    writeFileSync(path, `#!/bin/sh\necho tmux ${version}\n`);
    chmodSync(path, 0o755);
  };
  const program = tmuxProgram({ program: path, env: { PATH: process.env.PATH ?? "" }, monotonic: () => now });
  await expect(program.version()).rejects.toMatchObject({ code: "TMUX_NOT_FOUND" });
  become("3.5a");
  expect(await program.version()).toBe("3.5a");
  become("3.6");
  expect(await program.version()).toBe("3.5a");
  now = 60_000;
  expect(await program.version()).toBe("3.6");
});

/** The available tmux, which claims to be of this version. */
function speaking(folder: string, version: string): string {
  const path = join(folder, `tmux-${version}`);
  writeFileSync(path, `#!/bin/sh\n[ "$1" = -V ] && { echo tmux ${version}; exit; }\nexec ${TMUX} "$@"\n`, { mode: 0o755 });
  return path;
}
