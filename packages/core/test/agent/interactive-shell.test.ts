import { expect, test } from "vitest";
import { isInteractiveShell } from "../../src/agent/interactive-shell.js";

test.each([
  [["fish"], true],
  [["/usr/bin/zsh", "-l"], true],
  [["bash", "--norc", "--noprofile", "-i"], true],
  [["bash", "-c", "make"], false],
  [["bash", "-lc", "make"], false],
  [["fish", "--command=make"], false],
  [["bash", "deploy.sh"], false],
  [["bash", "--rcfile", "x"], false],
  [["bashful"], false],
  [["cat"], false],
  [[], false],
])("%j is an interactive shell: %s", (argv, is) => {
  expect(isInteractiveShell(argv)).toBe(is);
});
