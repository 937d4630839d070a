import { expect, test } from "vitest";
import { main as keepSessions } from "./keep-sessions.js";
import { main as runAProgram } from "./run-a-program.js";

async function output(main: (print: (line: string) => void) => Promise<void>): Promise<readonly string[]> {
  const lines: string[] = [];
  await main((line) => lines.push(line));
  return lines;
}

test("run-a-program.ts runs a program in tmux, types an answer and ends it", async () => {
  expect(await output(runAProgram)).toEqual(["it printed hello", "it ended, with 0 survivors"]);
});

test("keep-sessions.ts sees another process's changes", async () => {
  expect(await output(keepSessions)).toEqual(["my-project is active, rev 2"]);
});
