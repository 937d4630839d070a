import { expect, test } from "vitest";
import { hostContract } from "../src/contract/index.js";

function titles(terminals: boolean): readonly string[] {
  const declared: string[] = [];
  const open = () => Promise.reject(new TypeError("no case is run here"));
  hostContract({ test: (title) => void declared.push(title), open, terminals });
  return declared;
}

test("declares terminal cases only on request, and no title twice", () => {
  const without = titles(false);
  const all = titles(true);
  expect(without.length).toBeGreaterThan(0);
  expect(all.slice(0, without.length)).toEqual(without);
  expect(all.length).toBeGreaterThan(without.length);
  expect(new Set(all).size).toBe(all.length);
});
