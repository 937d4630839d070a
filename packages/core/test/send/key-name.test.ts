import { describe, expect, test } from "vitest";
import { keyName, keyNames } from "../../src/index.js";

describe("key names", () => {
  test.each([
    "Enter",
    "enter",
    "C-c",
    "M-x",
    "C-M-x",
    "S-Up",
    "C-M-S-PgDn",
    "C-Space",
    "F12",
    "KP0",
    "M-BTab",
    ";",
    "-",
    "é",
    "漢",
    "C--",
    "C-?",
    "^",
  ])("accepts %s", (key) => expect(keyName(key)).toBe(key));

  test.each([
    ["S-Tab", "BTab"],
    ["S-M-Tab", "M-BTab"],
    ["M-C-x", "C-M-x"],
    ["C-C-c", "C-c"],
  ])("normalizes %s to %s", (key, name) => expect(keyName(key)).toBe(name));

  test.each(["", "ab", "C-", "-X", "F13", "0x41", "S-a", "C-é", "\u001b", " ", "C-C-C-C-c", "C-Enter", "S-Space", "C-KP5", "C-1", "C-M--"])(
    "rejects %j, which no terminal has a sequence for",
    (key) => expect(keyName(key)).toBeNull(),
  );

  test("rejects an unknown key by name, and an empty list", () => {
    expect(() => keyNames(["Enter", "C-Enter"])).toThrow('"C-Enter" is not a key');
    expect(() => keyNames([])).toThrow("no key was given");
    expect(keyNames(["Enter", "S-Tab"])).toEqual(["Enter", "BTab"]);
  });
});
