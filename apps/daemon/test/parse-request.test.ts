import { CONTRACTS } from "@tmpm/api";
import { expect, test } from "vitest";
import { parseRequest } from "../src/requests/parse-request.js";

const send = (body: object) => () => parseRequest(CONTRACTS.send, { params: { session: "demo" }, query: {}, body, headers: {} });

test.each([
  ["a number above its maximum", { text: "x", timeout_ms: 1e10 }, "timeout_ms: must be at most 86400000"],
  ["a number below its minimum", { text: "x", timeout_ms: -1 }, "timeout_ms: must be at least 0"],
])("%s is refused with the bound in plain words", (_, body, message) => {
  expect(send(body)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message }));
});
