import { StoreHealth } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { healthAnswer } from "../../src/answers/answer.js";

test("store health reports conflicts, and the failure that degrades the store", () => {
  const conflicts = [{ id: "550e8400-e29b-41d4-a716-446655440000", path: "/srv/conflicts/c.json" }];
  const degraded = { state: "degraded" as const, error: new TmpmError("STORE_DEGRADED", "permission denied") };
  const answers = [{ state: "ok" as const }, { state: "ok" as const, conflicts: [] }, { state: "ok" as const, conflicts }, degraded].map(
    healthAnswer,
  );
  expect(answers).toEqual([
    { state: "ok", message: null },
    { state: "ok", message: null },
    { state: "ok", message: null, conflicts },
    { state: "degraded", message: "permission denied" },
  ]);
  for (const answer of answers) expect(StoreHealth.parse(answer)).toEqual(answer);
});
