import { expect, test } from "vitest";
import { rounds } from "./rounds.mjs";

test("the requested number of rounds, and one to warm up", () => {
  expect([...rounds(5, { withinMs: 60_000 })]).toEqual([0, 1, 2, 3, 4, 5]);
});

test("three rounds after the time limit, or fewer if requested", () => {
  expect([...rounds(5, { withinMs: 0 })]).toEqual([0, 1, 2, 3]);
  expect([...rounds(2, { withinMs: 0 })]).toEqual([0, 1, 2]);
});
