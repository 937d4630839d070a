import { expect, test } from "vitest";
import { rounds } from "./rounds.mjs";

test("as many rounds as are wanted, and one to warm up", () => {
  expect([...rounds(5, { withinMs: 60_000 })]).toEqual([0, 1, 2, 3, 4, 5]);
});

test("three rounds when the time is over, or as few as are wanted", () => {
  expect([...rounds(5, { withinMs: 0 })]).toEqual([0, 1, 2, 3]);
  expect([...rounds(2, { withinMs: 0 })]).toEqual([0, 1, 2]);
});
