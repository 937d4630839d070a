import { isMeaningfulLine, isPromptLine } from "@tmpm/core";
import { describe, expect, test } from "vitest";

describe("prompt line", () => {
  test.each(["$", "%", ">", "#", "project$", "user@host>", "~/project>", "user@host: 99.5%", "user@host:~$ ", "(venv)$", "[root]#"])(
    "matches %j",
    (line) => {
      expect(isPromptLine(line)).toBe(true);
    },
  );

  test.each(["42%", "downloading 100%", "1.2.3$", "my host$", `${"a".repeat(33)}$`, "project>", "", "done", "</p"])(
    "does not match %j",
    (line) => {
      expect(isPromptLine(line)).toBe(false);
    },
  );
});

describe("meaningful line", () => {
  test.each(["abc", "Compiling core", "éàü", "日本語", "ok 1"])("matches %j", (line) => {
    expect(isMeaningfulLine(line)).toBe(true);
  });

  test.each(["", "  ", "ab", "───────", "⠋⠙⠹", "user@host:~$ ", "a b"])("does not match %j", (line) => {
    expect(isMeaningfulLine(line)).toBe(false);
  });
});
