import { isMeaningfulLine, isPromptLine } from "@tmpm/core";
import { describe, expect, test } from "vitest";

describe("a prompt", () => {
  test.each(["$", "%", ">", "#", "project$", "user@host>", "~/project>", "user@host: 99.5%", "user@host:~$ ", "(venv)$", "[root]#"])(
    "is %j",
    (line) => {
      expect(isPromptLine(line)).toBe(true);
    },
  );

  test.each(["42%", "downloading 100%", "1.2.3$", "my host$", `${"a".repeat(33)}$`, "project>", "", "done", "</p"])("is not %j", (line) => {
    expect(isPromptLine(line)).toBe(false);
  });
});

describe("a line that says something", () => {
  test.each(["abc", "Compiling core", "éàü", "日本語", "ok 1"])("is %j", (line) => {
    expect(isMeaningfulLine(line)).toBe(true);
  });

  test.each(["", "  ", "ab", "───────", "⠋⠙⠹", "user@host:~$ ", "a b"])("is not %j", (line) => {
    expect(isMeaningfulLine(line)).toBe(false);
  });
});
