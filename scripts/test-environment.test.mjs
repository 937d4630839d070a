import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./bootstrap/root.mjs";
import { testEnvironment } from "./bootstrap/test-environment.mjs";
import { testSettings } from "./test-settings.mjs";

const NONSENSE = Object.fromEntries(
  [
    ...["TMPM_TMUX_SOCKET", "TMPM_HOME", "TMPM_CONFIG", "TMPM_DAEMON", "TMPM_TOKEN", "TMPM_URL", "TMUX", "TMUX_PANE", "TMUX_TMPDIR"],
    ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "LC_ALL", "LC_CTYPE", "LANG", "LANGUAGE", "TERM", "SHELL"],
    ...["GIT_DIR", "GIT_WORK_TREE", "GIT_CONFIG_GLOBAL", "GIT_AUTHOR_DATE", "EDITOR", "VISUAL", "PAGER", "COLUMNS", "LINES", "NO_COLOR"],
    ...["npm_config_prefix", "npm_config_omit", "npm_config_script_shell", "INIT_CWD"],
  ].map((name) => [name, "/nonsense"]),
);

test("tests inherit only programs, the user and network access from the caller's environment", () => {
  const kept = {
    PATH: "/bin",
    HOME: "/home/me",
    TMPM_TEST_SEED: "7",
    npm_config_registry: "https://registry.example/",
    https_proxy: "http://p",
  };
  const fixed = { LANG: "C.UTF-8", SHELL: "/bin/sh", TERM: "xterm-256color", npm_config_update_notifier: "false" };
  expect(testEnvironment({ ...NONSENSE, ...kept })).toEqual({ ...kept, ...fixed });
});

test("a run with a nonsensical environment and umask of the caller passes like any other", { timeout: 300_000 }, () => {
  const { PATH, HOME } = process.env;
  const vitest = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "scripts/seen-environment.test.mjs"];
  const script = 'umask 077; exec "$0" "$@"';
  const run = spawnSync("/bin/sh", ["-c", script, process.execPath, ...vitest], {
    cwd: root,
    env: { ...NONSENSE, PATH, HOME },
    encoding: "utf8",
  });
  expect(run.stdout + run.stderr).toContain("1 passed, 0 failed");
});

test("the seed is fixed, or as requested", () => {
  expect(testSettings({})).toEqual({ TMPM_TEST_SCALE: "1", TMPM_TEST_SEED: "1", TMPM_TEST_HOSTS: "" });
  expect(testSettings({ TMPM_TEST_SEED: "7" }).TMPM_TEST_SEED).toBe("7");
  expect(testSettings({ TMPM_TEST_SEED: "random" }).TMPM_TEST_SEED).toMatch(/^\d+$/);
});

test.each([
  { TMPM_TEST_SEED: "often" },
  { TMPM_TEST_SEED: "-1" },
  { TMPM_TEST_SCALE: "many" },
  { TMPM_TEST_SCALE: "0" },
  { TMPM_TEST_HOSTS: "some" },
])("an invalid setting is an error: %o", (settings) => {
  expect(() => testSettings(settings)).toThrow(/is ".*": give/);
});
