import { expect, test } from "vitest";
import { isRegistrySetting } from "./bootstrap/environment.mjs";

const CALLERS =
  /^(?:TMPM_(?!TEST_|AGENTS|AGENT_VERSIONS)|TMUX|XDG_|LC_|LANGUAGE$|GIT_|EDITOR$|VISUAL$|PAGER$|NODE_OPTIONS$|npm_|INIT_CWD$|COLUMNS$|LINES$)/i;

test("a test does not inherit the settings, the locale, the terminal or the umask of the caller", () => {
  const { LANG, TERM, SHELL, npm_config_update_notifier: _, ...rest } = process.env;
  expect({ LANG, TERM, SHELL }).toEqual({ LANG: "C.UTF-8", TERM: "xterm-256color", SHELL: "/bin/sh" });
  expect(Object.keys(rest).filter((name) => CALLERS.test(name) && !isRegistrySetting(name))).toEqual([]);
  const umask = process.umask(0o022);
  process.umask(umask);
  expect(umask.toString(8)).toBe("22");
});
