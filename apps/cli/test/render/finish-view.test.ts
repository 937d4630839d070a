import { CONTRACTS, type FinishAnswer } from "@tmpm/api";
import { expect, test } from "vitest";
import { renderFinish } from "../../src/render/finish.js";

const ANSWER: FinishAnswer = CONTRACTS.finish.answer.parse(CONTRACTS.finish.example.answer);

test.each([
  ["squash_commit", true],
  ["already", false],
] as const)("a preview of %s shows whether the checkout is updated: %s", (result, moves) => {
  const plan = ANSWER.plan ?? expect.unreachable("the example has a plan");
  const text = renderFinish({ ...ANSWER, plan: { ...plan, result, checkout: "/home/me/api" } });
  expect(text.includes("updates the checkout in /home/me/api")).toBe(moves);
});
