import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { forgeAddress } from "../src/pull-request/forge-address.js";
import { resolvedAddress } from "../src/pull-request/resolved-address.js";

const DEMO = { host: "github.com", owner: "demo", repository: "proj" };

test.each(["ssh://git@ssh.github.com:443/demo/proj.git", "git@ssh.github.com:demo/proj.git", "git@github.com:demo/proj.git"])(
  "%s is a repository of github.com",
  (url) => {
    expect(forgeAddress(url)).toEqual(DEMO);
  },
);

/** A program `ssh` with this script, which notes that it was started. */
function withSsh(script: string) {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-ssh-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "ssh"), `#!/bin/sh\n: >"${folder}/asked"\n${script}\n`);
  chmodSync(join(folder, "ssh"), 0o755);
  return {
    asked: () => existsSync(join(folder, "asked")),
    address: (url: string) => resolvedAddress(url, { PATH: `${folder}:/usr/bin:/bin` }),
  };
}

const CONFIGURED = '[ "$1 $2" = "-G --" ] && [ "$3" = work ] && printf "user git\\nhostname %s\\nport 22\\n" "$NAME"';

test.each(["git@work:demo/proj.git", "work:demo/proj", "ssh://git@work/demo/proj.git"])(
  "%s is at the host that ssh connects to",
  async (url) => {
    expect(await withSsh(`NAME=github.com; ${CONFIGURED}`).address(url)).toEqual(DEMO);
    expect(await withSsh(`NAME=ssh.github.com; ${CONFIGURED}`).address(url)).toEqual(DEMO);
  },
);

test("a host name that ssh does not resolve is used as written, and only ssh URLs are resolved", async () => {
  expect(await withSsh("exit 255").address("git@work:demo/proj.git")).toEqual({ ...DEMO, host: "work" });
  expect(await withSsh("exec sleep 1000").address("git@work:demo/proj.git")).toEqual({ ...DEMO, host: "work" });
  const unasked = withSsh("exit 1");
  expect(await unasked.address("https://github.com/demo/proj.git")).toEqual(DEMO);
  expect(await unasked.address("/srv/demo/proj.git")).toBeNull();
  expect(unasked.asked()).toBe(false);
  expect(await resolvedAddress("git@work:demo/proj.git", { PATH: "/nonexistent" })).toEqual({ ...DEMO, host: "work" });
});
