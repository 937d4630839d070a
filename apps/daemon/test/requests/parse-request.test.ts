import { CONTRACTS, type Contract } from "@tmpm/api";
import { expect, test } from "vitest";
import * as z from "zod";
import { parseRequest } from "../../src/requests/parse-request.js";

const send = (body: object) => () => parseRequest(CONTRACTS.send, { params: { session: "demo" }, query: {}, body, headers: {} });

test.each([
  ["a number above its maximum", { text: "x", timeout_ms: 1e10 }, "timeout_ms: must be at most 86400000"],
  ["a number below its minimum", { text: "x", timeout_ms: -1 }, "timeout_ms: must be at least 0"],
])("%s is refused with the bound in plain words", (_, body, message) => {
  expect(send(body)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message }));
});

/** A route whose body has one bounded field. */
function contractOf(field: z.ZodType): Contract {
  return { ...CONTRACTS.send, body: z.strictObject({ field }) };
}

test.each([
  [z.string().min(1), "", "field: must not be empty"],
  [z.string().min(2), "a", "field: must have at least 2 characters"],
  [z.string().max(1), "ab", "field: must have at most 1 character"],
  [z.string().max(2), "abc", "field: must have at most 2 characters"],
  [z.string().length(1), "ab", "field: must have exactly 1 character"],
  [z.array(z.string()).min(1), [], "field: must not be empty"],
  [z.array(z.string()).min(2), ["a"], "field: must have at least 2 entries"],
  [z.array(z.string()).max(1), ["a", "b"], "field: must have at most 1 entry"],
  [z.number().gt(1), 1, "field: must be more than 1"],
  [z.number().lt(1), 1, "field: must be less than 1"],
  [z.string().min(1, "give a name"), "", "field: give a name"],
])("bound %# of a field is in plain words, in singular or plural", (schema, field, message) => {
  const parts = { params: { session: "demo" }, query: {}, body: { field }, headers: {} };
  expect(() => parseRequest(contractOf(schema), parts)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message }));
});
