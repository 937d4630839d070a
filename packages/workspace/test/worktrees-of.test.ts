import { expect, test } from "vitest";
import { fromLines } from "../src/git/worktrees-of.js";

test("a list of work trees in lines, as git before 2.36 prints it, is read like one with NUL", () => {
  const id = "a".repeat(40);
  const listed = `worktree /a b\nHEAD ${id}\nbranch refs/heads/main\n\nworktree /c\nHEAD ${id}\ndetached\nlocked\n\n`;
  expect(fromLines(listed)).toBe(`worktree /a b\0HEAD ${id}\0branch refs/heads/main\0\0worktree /c\0HEAD ${id}\0detached\0locked\0\0`);
});

test.each(["worktree /a\nb\nHEAD 1\n\n", "worktree /a\n\nb\nbare\n\n", "worktree /a\nworktree /b\nbare\n\n"])(
  "a name with a line break is refused in such a list (%j)",
  (listed) => {
    expect(() => fromLines(listed)).toThrow(expect.objectContaining({ code: "GIT_FAILED", effect: "none" }));
  },
);
