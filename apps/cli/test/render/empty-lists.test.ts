import { expect, test } from "vitest";
import { answering } from "../fixtures/answering.js";

test.each([
  [["agents", "profiles"], { profiles: [], default: null }, "no profiles; add one below `profiles` with `tmpm config edit`"],
  [["nodes"], { nodes: [], next: null }, "no nodes; add one with `tmpm nodes add LABEL --ssh HOST`"],
  [["nodes", "doctor"], { nodes: [], next: null }, "no nodes; add one with `tmpm nodes add LABEL --ssh HOST`"],
  [["nodes", "waiting"], { prompts: [], next: null }, "no prompts wait for nodes; `tmpm send NODE:SESSION --when-online TEXT`"],
] as const)("%j without entries prints a note with the command that adds one, and no header", async (words, body, note) => {
  await using here = await answering(() => ({ body }));
  expect(await here.tmpm(...words)).toEqual({ exit: 0, stdout: "", stderr: expect.stringContaining(note) });
});
