import { readdirSync, readFileSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { SETTING_KEYS, settingOf } from "@tmpm/api/config";
import { expect, test } from "vitest";
import { eventually, fixture } from "./fixture.js";

test("the daemon follows its configuration file, runs a command on events, and does not start with an invalid file", {
  timeout: 180_000,
}, async () => {
  await using w = await fixture();
  const notices = join(w.dir, "notices");
  const program = join(w.dir, "notified");
  await writeFile(program, `#!/bin/sh\ncat >> ${notices}\n`);
  await chmod(program, 0o700);
  expect((await w.tmpm(["new", "--name", "one", "--", "sh", "-c", "read x; exit 7"])).code).toBe(0);
  for (const [key, value] of [
    ["notify.window_seconds", "0"],
    ["notify.command", JSON.stringify([program])],
  ] as const)
    expect((await w.tmpm(["config", "set", key, value])).code).toBe(0);
  await eventually(async () => ((await w.api.notify()).channels[0]?.target === program ? true : null));
  await w.api.send({ session: "one", text: "x" });
  const written = () => readFile(notices, "utf8").catch(() => "");
  await eventually(async () => ((await written()).includes('"title":"one ended with status 7"') ? true : null));

  const { stdout } = await w.tmpm(["config", "path"]);
  await writeFile(stdout.trim(), "log:\n  levle: debug\n");
  await w.stopDaemon();
  const refused = await w.tmpm(["ls"]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("config.yaml:2:3: unknown setting log.levle; did you mean log.level?"),
  ]);
  expect((await w.tmpm(["config", "unset", "log.level"])).code).toBe(0);
  await writeFile(stdout.trim(), "log:\n  level: warn\n");
  expect((await w.tmpm(["ls"])).stdout).toContain("one");
});

/** Set by tmpm itself for the programs that it starts, or by its tests; `TMPM_CONFIG` is the location of the settings. */
const NO_SETTING = /^TMPM_(AS_SESSION|CONFIG|CLI|FAILPOINT|SESSION_[A-Z]+|PORT_(BASE|[A-Z]+)|SOURCE|NOTICE(_[A-Z]+)?|TEST_[A-Z]+)$/;

test("every variable read is a setting", () => {
  const root = resolve(import.meta.dirname, "..");
  const folders = ["apps", "packages"].flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name, "src")));
  const files = folders.flatMap((folder) => sourcesIn(folder));
  const known = SETTING_KEYS.map((key) => settingOf(key).env);
  const read = new Set(files.flatMap((file) => readFileSync(file, "utf8").match(/\bTMPM_[A-Z_]*[A-Z]\b/g) ?? []));
  expect([...read].filter((name) => !known.includes(name) && !NO_SETTING.test(name))).toEqual([]);
});

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}
