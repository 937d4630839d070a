import { expect, test } from "vitest";
import { claudeText } from "../src/claude/text.js";
import { codexText } from "../src/codex/text.js";
import { opencodeText } from "../src/opencode/text.js";

test.each([
  ["Claude Code", claudeText],
  ["Codex", codexText],
  ["OpenCode", opencodeText],
])("no piece typed to %s is the path of an image", (_title, { pieces }) => {
  expect(pieces("/tmp/a.png")).toEqual(["/tmp/a.pn", "g"]);
  expect(pieces("'/tmp/b c.JPEG' /tmp/d.gif")).toEqual(["'/tmp/b c.JPE", "G' /tmp/d.gi", "f"]);
  for (const whole of ["see a.pngs", "fix the test", ""]) expect(pieces(whole)).toEqual([whole]);
});

test("three lines for OpenCode are typed as a whole, since their parts would not become one placeholder", () => {
  expect(opencodeText.pieces("1\n2\n/tmp/a.png")).toEqual(["1\n2\n/tmp/a.png"]);
});
