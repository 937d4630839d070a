import { expect, test } from "vitest";
import { opencode } from "../src/index.js";

const retry = (status: object) => ({
  type: "session.status",
  properties: { sessionID: "ses_1", status: { type: "retry", attempt: 1, ...status } },
});

test("an OpenCode that waits to retry reports the error and when it retries", () => {
  const read = (payload: unknown) => opencode.hooks?.read(payload);
  expect(read(retry({ message: "Rate limit reached", next: 1_700_000_000_000 }))).toMatchObject({
    state: "working",
    evidence: "the model's API fails, OpenCode tries again: Rate limit reached",
    waits: { message: "Rate limit reached", resetsAtMs: 1_700_000_000_000 },
  });
  expect(read(retry({}))?.waits).toEqual({ message: "the model's API fails", resetsAtMs: null });
});
