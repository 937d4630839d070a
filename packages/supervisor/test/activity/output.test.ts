import { describe, expect, test } from "vitest";
import { type Output, outputAfter } from "../../src/activity/output.js";

function after(...screens: readonly (readonly string[])[]): number | null {
  let output: Output | undefined;
  for (const [index, lines] of screens.entries()) output = outputAfter(output, { lines, nowMs: index });
  return output?.atMs ?? null;
}

describe("output of a session", () => {
  test("counts as new when a new line appeared", () => {
    expect(after(["$ make", ""], ["$ make", "compiling core"])).toBe(1);
    expect(after(["a line"], ["a line", "a second line"], ["a line", "a second line"])).toBe(1);
    expect(after(["first line", "second line"], ["second line", "third line"])).toBe(1);
  });

  test.each([
    { what: "nothing changed", screens: [["build done"], ["build done"]] },
    { what: "only a prompt came", screens: [["build done"], ["build done", "user@host:~$ "]] },
    { what: "a clock went on", screens: [["10:30 main"], ["10:31 main"]] },
    { what: "a spinner turned", screens: [["⠋"], ["⠙"]] },
    { what: "lines went away", screens: [["one line", "two line"], ["one line"]] },
    { what: "it was looked at for the first time", screens: [["old output"]] },
  ])("does not count as new when $what", ({ screens }) => {
    expect(after(...screens)).toBeNull();
  });
});
