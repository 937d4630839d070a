import { describe, expect, test } from "vitest";
import { echoArrived, echoSubmitted } from "../src/screen/echo.js";
import { screen } from "./screen.js";

const before = screen(["demo$ "]);

describe("text has arrived at an echoing prompt", () => {
  test("when a right-hand prompt follows the cursor", () => {
    const row = `demo$ echo hi${" ".repeat(50)}12:34`;
    const now = screen([row], { cursor: { column: 13, row: 0, visible: true } });
    expect(echoArrived({ before, now, text: "echo hi" })).not.toBeNull();
    expect(echoArrived({ before, now, text: "12:34" })).toBeNull();
  });

  test("when only its last characters are in the cursor's row", () => {
    const now = screen(["demo$ echo a-long-o", "ne"], { columns: 19 });
    expect(echoArrived({ before: { ...before, columns: 19 }, now, text: "echo a-long-one" })).not.toBeNull();
  });

  test("when the editor shows only its end", () => {
    const now = screen(["<aaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaa end"], { columns: 19 });
    expect(echoArrived({ before, now, text: `${"a".repeat(5000)} end` })).not.toBeNull();
  });

  test("but not when it is only higher up, or incomplete", () => {
    const now = screen(["demo$ echo hi", "hi", "demo$ "]);
    expect(echoArrived({ before: now, now, text: "echo hi" })).toBeNull();
    expect(
      echoArrived({ before: screen(["demo$ echo hi", "hi", "demo$ "]), now: screen(["demo$ echo hi", "hi", "demo$ ec"]), text: "echo hi" }),
    ).toBeNull();
  });

  test("but not when it was there before", () => {
    const same = screen(["demo$ ls"]);
    expect(echoArrived({ before: same, now: same, text: "ls" })).toBeNull();
    expect(echoArrived({ before: same, now: screen(["demo$ lsls"]), text: "ls" })).not.toBeNull();
  });

  test("but not when the shell suggests it behind the cursor", () => {
    const proposal = screen(["demo$ echo hi"], { cursor: { column: 6, row: 0, visible: true } });
    expect(echoArrived({ before: proposal, now: proposal, text: "echo hi" })).toBeNull();
  });

  test("but not in a terminal whose program has ended", () => {
    expect(echoArrived({ before, now: screen(["demo$ ls"], { dead: true }), text: "ls" })).toBeNull();
  });
});

describe("text has left an echoing prompt", () => {
  const typed = screen(["demo$ ls"], { foreground: true });

  test("when the cursor moved on, the screen scrolled, or the line was cleared", () => {
    expect(echoSubmitted({ typed, now: screen(["demo$ ls", "a b", "demo$ "], { foreground: true }), text: "ls" })).not.toBeNull();
    expect(echoSubmitted({ typed, now: { ...typed, historySize: 1 }, text: "ls" })).not.toBeNull();
    expect(echoSubmitted({ typed, now: screen(["demo$ "], { foreground: true }), text: "ls" })).not.toBeNull();
  });

  test("when another program runs, or the shell has ended", () => {
    expect(echoSubmitted({ typed, now: { ...typed, foreground: false, command: "vim" }, text: "ls" })).toBe("vim runs in the foreground");
    expect(echoSubmitted({ typed, now: { ...typed, dead: true }, text: "exit" })).toBe("the program has ended");
  });

  test("but not because the window was resized", () => {
    const now = screen(["demo", "$ ls"], { columns: 4, foreground: true });
    expect(echoSubmitted({ typed, now, text: "ls" })).toBeNull();
  });

  test("but not because a program was running throughout", () => {
    const running = { ...typed, foreground: false };
    expect(echoSubmitted({ typed: running, now: running, text: "ls" })).toBeNull();
  });
});
