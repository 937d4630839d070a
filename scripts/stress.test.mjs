import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./bootstrap/root.mjs";
import { failuresIn, table } from "./stress/failures.mjs";

const report = (assertionResults, more = {}) => ({
  testResults: [{ name: join(root, "a.test.ts"), status: "failed", assertionResults, ...more }],
});
const failed = {
  status: "failed",
  fullName: "adds up",
  failureMessages: [`Error: 1 is not 2\nmore\n    at x (${root}/node_modules/v.js:1:1)\n    at y (${root}/lib/sum.ts:7:3)`],
};

test("a failed test is reported with its place in the sources and its first message line", () => {
  expect(failuresIn(report([failed, { status: "passed", fullName: "is", failureMessages: [] }]))).toEqual([
    { test: "a.test.ts > adds up", place: "lib/sum.ts:7:3", message: "Error: 1 is not 2" },
  ]);
});

test("a file that does not load is a failure", () => {
  expect(failuresIn(report([], { message: "no such module\nat" }))).toEqual([
    { test: "a.test.ts", place: "a.test.ts", message: "no such module" },
  ]);
});

test("each test is counted over all runs, the least stable first", () => {
  const failure = (test) => ({ test, place: "p:1:1", message: "m" });
  const runs = [
    { seed: "1", failures: [failure("rare")] },
    { seed: "2", failures: [failure("often")] },
    { seed: "3", failures: [failure("often")] },
  ];
  expect(table(runs)).toEqual(["2/3  often\n      seed 2, 3  p:1:1  m", "1/3  rare\n      seed 1  p:1:1  m"]);
});
