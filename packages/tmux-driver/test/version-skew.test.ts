import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../src/contract/expect.js";
import { create } from "../src/contract/sessions.js";
import { tmuxProgram } from "../src/tmux-program.js";
import { openTmux } from "./tmux-harness.js";

test("a server that is older than the program at hand is told apart from it, and each says its own version", async () => {
  const harness = await openTmux();
  await create(harness, { id: "one", argv: ["sleep", "1000"] });
  const same = present(await harness.driver.server());
  expect(same.programVersion).toBe(same.version);
  const upgraded = join(harness.folder, "tmux-upgraded");
  writeFileSync(upgraded, '#!/bin/sh\n[ "$1" = -V ] && { echo tmux 3.7b; exit; }\nexec tmux "$@"\n');
  chmodSync(upgraded, 0o755);
  const driver = harness.another({ tmux: upgraded });
  expect(present(await driver.server())).toMatchObject({ version: same.version, programVersion: "3.7b" });
  await driver.close();
});

test("a program and a server that do not speak with each other are an answer that says so, not an absent server", async () => {
  const harness = await openTmux();
  const skewed = join(harness.folder, "tmux-skewed");
  writeFileSync(
    skewed,
    '#!/bin/sh\n[ "$1" = -V ] && { echo tmux 3.7b; exit; }\necho "protocol version mismatch (client 9, server 8)" >&2\nexit 1\n',
  );
  chmodSync(skewed, 0o755);
  const driver = harness.another({ tmux: skewed });
  const answer = await driver.server();
  expect(answer).toMatchObject({ kind: "unknown", error: { code: "TMUX_FAILED", effect: "none" } });
  expect(answer.kind === "unknown" && answer.error.message).toContain("differ in version");
  expect(answer.kind === "unknown" && answer.error.hint).not.toBeNull();
  await driver.close();
});

test("the program is asked for its version again when a minute has passed, and after it could not tell", async () => {
  const harness = await openTmux();
  let now = 0;
  const path = join(harness.folder, "tmux-changing");
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
