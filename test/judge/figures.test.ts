import { expect, test } from "vitest";
import { type Case, figuresOf } from "./figures.js";
import { judge, type Trial } from "./verdict.js";

function caseOf(number: number, seen: Partial<Trial>): Case {
  const trial = { text: "é", declared: [], outcome: "submitted", reason: "hook", altered: null, received: ["é"], damage: [], ...seen };
  return { hostile: { number, kind: "single", text: "é", moment: "idle" }, trial, judged: judge(trial) };
}

test("counts each verdict, and names each failed text", () => {
  const cases = [caseOf(0, {}), caseOf(1, {}), caseOf(2, {}), caseOf(3, { received: ["e"], damage: ["leftover"] })];
  expect(figuresOf({ who: "demo on tmux", seed: 5, cases })).toBe(`demo on tmux: 4 texts of seed 5
  exact               3  75.0 %
  declared            0   0.0 %
  refused             0   0.0 %
  wrong               1  25.0 %
  receipt right       3  75.0 %
  receipt unknown     0   0.0 %
  receipt false       1  25.0 %
  damage              1  25.0 %
  5/3 single, idle: "\\u{e9}"
      wrong, receipt false (submitted/hook); received "e"; damage: leftover`);
});
